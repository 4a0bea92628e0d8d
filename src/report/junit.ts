// The JUnit report: one testcase per case, failures and errors apart, for CI systems.

import type { EventSource } from '../model/sink.ts';
import type { CaseResult, RunDetail, SettledCase } from './case-result.ts';
import { inChunks } from './chunks.ts';
import { failuresOf, headlineOf } from './failures.ts';
import { foldCases } from './fold.ts';
import type { Overview } from './overview.ts';
import { readOverview } from './overview.ts';
import { cutText } from './untrusted.ts';

const TEXT_LENGTH = 20_000;
const MESSAGE_LENGTH = 1_000;

/** Writes the JUnit report of a log. */
export function junitReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start } = overview;
  const counts = attributes({
    tests: overview.counts.total,
    failures: overview.counts.failed - overview.counts.errors,
    errors: overview.counts.errors,
    skipped: overview.counts.skipped,
    time: seconds(overview.counts.duration_ms ?? 0),
  });
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="assay"${counts}>\n`;
  yield `  <testsuite${attributes({ name: start.agent_id })}${counts}${attributes({ timestamp: start.timestamp })}>\n`;
  yield propertiesOf(overview);
  for await (const settled of foldCases(source, overview)) yield testcase(settled);
  yield '  </testsuite>\n</testsuites>\n';
}

function propertiesOf({ start, completedAt }: Overview): string {
  const { environment } = start;
  const properties = Object.entries({
    run_id: start.run_id,
    agent_id: start.agent_id,
    connector: start.connector,
    user_id: environment.user_id,
    team_id: environment.team_id,
    locale: environment.locale,
    version: start.version,
    unfinished: completedAt === null ? 'true' : undefined,
  });
  const lines = properties.flatMap(([name, value]) =>
    value === undefined ? [] : [`      <property${attributes({ name, value })}/>\n`],
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}

function testcase(settled: SettledCase): string {
  if (!settled.ran) {
    const { id, test_id, reason } = settled.skipped;
    const open = `    <testcase${attributes({ classname: test_id, name: id, time: seconds(0) })}>\n`;
    return `${open}      <skipped${attributes({ message: reason })}/>\n    </testcase>\n`;
  }
  const { result } = settled;
  const open = `    <testcase${attributes({ classname: result.test_id, name: result.id, time: seconds(result.duration_ms) })}`;
  const body = failureElement(result) + outputElement(result);
  return body === '' ? `${open}/>\n` : `${open}>\n${body}    </testcase>\n`;
}

function failureElement(result: CaseResult): string {
  if (result.status === 'passed') return '';
  // A timeout says something about the agent, so it is a failure; an error says that there was no judgement.
  const tag = result.status === 'error' ? 'error' : 'failure';
  const type = result.status === 'error' ? (result.code ?? 'error') : result.status;
  const message = cutText(result.error ?? result.status, MESSAGE_LENGTH);
  const text = explanation(result);
  return `      <${tag}${attributes({ message, type })}>${escapeXml(text)}</${tag}>\n`;
}

function explanation(result: CaseResult): string {
  const runs = result.run_details;
  if (runs === undefined) return cutText(reasons(result), TEXT_LENGTH);
  const texts = runs
    .filter((run) => run.status !== 'passed')
    .map((run) => `run ${run.run}: ${run.status}\n${reasons(run)}`);
  return cutText(`${result.passed} of ${result.runs} runs passed\n${texts.join('\n')}`, TEXT_LENGTH);
}

function reasons(run: CaseResult | RunDetail): string {
  const lines = failuresOf(run).map((failure) => {
    const { detail } = failure;
    const headline = headlineOf(failure);
    // The whole stack follows below.
    if (detail === undefined || detail.type === 'stack') return headline;
    if (detail.type === 'diff') return `${headline}\n${detail.text}`;
    return `${headline}\nexpected: ${detail.expected}\nactual: ${detail.actual}`;
  });
  return run.stack === undefined ? lines.join('\n') : `${lines.join('\n')}\n${run.stack}`;
}

/** The logs; before them, of a case that passed, the runs that did not. */
function outputElement(result: CaseResult): string {
  const { status, runs, passed, logs = [] } = result;
  const texts = status === 'passed' && passed < runs ? [explanation(result)] : [];
  if (logs.length > 0) texts.push(cutText(logs.join('\n'), TEXT_LENGTH));
  if (texts.length === 0) return '';
  return `      <system-out>${escapeXml(texts.join('\n'))}</system-out>\n`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Every `>` is escaped, so no `]]>` is left; characters that no XML file may hold are removed. */
function escapeXml(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

// The point of this class is to name control characters.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\p{Cs}]/gu;
