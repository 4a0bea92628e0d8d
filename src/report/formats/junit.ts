// The JUnit report: one testcase per case, failures and errors apart, for CI systems.

import type { EventSource } from '../../model/sink.ts';
import type { SettledCase } from '../fold/case-result.ts';
import { shortNamer } from '../text/case-text.ts';
import { isolationText } from '../text/isolation-text.ts';
import { quarantineText, worseTexts } from '../text/quarantine-text.ts';
import { caseNoun, gradedText } from '../text/run-words.ts';
import { inChunks } from './chunks.ts';
import { foldCases } from '../fold/fold.ts';
import { foldScripts } from '../fold/fold-scripts.ts';
import { testcase } from './junit-case.ts';
import { attributes, seconds } from './junit-text.ts';
import type { Overview } from '../fold/overview.ts';
import { readOverview } from '../fold/overview.ts';
import { reportKind, runKind } from '../kinds/registry.ts';
import { loggedScripts, testIdOf } from '../kinds/script/run.ts';

type Counts = { tests: number; failures: number; errors: number; skipped: number; ms: number };

/** Writes the JUnit report of a log. */
export function junitReport(source: EventSource): AsyncIterable<string> {
  return inChunks(pieces(source));
}

/** One suite for all cases of agents, and one for each script. */
async function* pieces(source: EventSource): AsyncGenerator<string> {
  const overview = await readOverview(source);
  const { start, counts } = overview;
  const all = {
    tests: counts.total,
    failures: counts.failed - counts.errors,
    errors: counts.errors,
    skipped: counts.skipped,
    ms: counts.duration_ms ?? 0,
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  // The schema of Jenkins' xUnit plugin has `skipped` in suites only.
  const { skipped: _, ...known } = all;
  yield `<testsuites name="assay"${countAttributes(known)}>\n`;
  if (runKind(start).hasOwnSuites !== true) yield* agentSuite(source, overview, all);
  yield* scriptSuites(source, overview);
  yield '</testsuites>\n';
}

async function* agentSuite(source: EventSource, overview: Overview, all: Counts): AsyncGenerator<string> {
  const { start } = overview;
  const nameOf = shortNamer(start);
  const isMixed = loggedScripts(start).length > 0;
  const counts = isMixed ? await countAgentCases(source, overview) : all;
  yield openSuite({ name: start.agent_id }, counts, overview);
  yield suiteProperties(overview);
  for await (const settled of foldCases(source, overview)) {
    if (reportKind(settled.kind).hasOwnSuites !== true) yield testcase(settled, nameOf);
  }
  yield '  </testsuite>\n';
}

async function* scriptSuites(source: EventSource, overview: Overview): AsyncGenerator<string> {
  const { start } = overview;
  const scripts = loggedScripts(start);
  // The properties of the run are written once, in the first suite.
  let properties = runKind(start).hasOwnSuites === true ? suiteProperties(overview) : '';
  const nameOf = shortNamer(start);
  const keep = (settled: SettledCase) => ({ ...countCase(settled), text: testcase(settled, nameOf) });
  for await (const { script, tests } of foldScripts(source, { overview, scripts }, keep)) {
    const counts = tests.reduce(addCounts, noCounts());
    yield openSuite({ name: testIdOf(script), file: script.file }, counts, overview) + properties;
    for (const { text } of tests) yield text;
    yield '  </testsuite>\n';
    properties = '';
  }
}

async function countAgentCases(source: EventSource, overview: Overview): Promise<Counts> {
  let counts = noCounts();
  for await (const settled of foldCases(source, overview)) {
    if (reportKind(settled.kind).hasOwnSuites !== true) counts = addCounts(counts, countCase(settled));
  }
  return counts;
}

function noCounts(): Counts {
  return { tests: 0, failures: 0, errors: 0, skipped: 0, ms: 0 };
}

function addCounts(a: Counts, b: Counts): Counts {
  return {
    tests: a.tests + b.tests,
    failures: a.failures + b.failures,
    errors: a.errors + b.errors,
    skipped: a.skipped + b.skipped,
    ms: a.ms + b.ms,
  };
}

function countCase(settled: SettledCase): Counts {
  const counts = { ...noCounts(), tests: 1 };
  if (!settled.ran) return { ...counts, skipped: 1 };
  const { status, duration_ms: ms } = settled.result;
  if (status === 'passed') return { ...counts, ms };
  return status === 'error' ? { ...counts, ms, errors: 1 } : { ...counts, ms, failures: 1 };
}

function openSuite(names: Record<string, string>, counts: Counts, { start }: Overview): string {
  const timestamp = attributes({ timestamp: start.timestamp });
  return `  <testsuite${attributes(names)}${countAttributes(counts)}${timestamp}>\n`;
}

function countAttributes({ ms, ...counts }: Omit<Counts, 'skipped'>): string {
  return attributes({ ...counts, time: seconds(ms) });
}

function suiteProperties({ start, counts: { quarantined }, completedAt }: Overview): string {
  const { environment } = start;
  const facts =
    quarantined === undefined
      ? []
      : [quarantineText(quarantined, caseNoun(start)), ...worseTexts(quarantined)];
  const properties = Object.entries({
    run_id: start.run_id,
    agent_id: start.agent_id,
    note: start.note,
    graded: gradedText(start),
    suite: start.suite,
    connector: start.connector,
    user_id: environment.user_id,
    team_id: environment.team_id,
    locale: environment.locale,
    isolation: isolationText(start),
    version: start.version,
    quarantined: facts.length === 0 ? undefined : facts.join('; '),
    unfinished: completedAt === null ? 'true' : undefined,
  });
  const lines = properties.flatMap(([name, value]) =>
    value === undefined ? [] : [`      <property${attributes({ name, value })}/>\n`],
  );
  return `    <properties>\n${lines.join('')}    </properties>\n`;
}
