// One settled case as a testcase of the JUnit report.

import type { KindId } from '../../model/subject.ts';
import type { CaseResult, RunDetail, SettledCase } from '../fold/case-result.ts';
import { advisoryTexts } from '../text/advisory-text.ts';
import { undecidedText } from '../text/auto-words.ts';
import type { CaseNamer } from '../text/case-text.ts';
import { markText } from '../text/quarantine-text.ts';
import type { Failure } from '../fold/failures.ts';
import { listFailures, failureHeadline, valueTexts } from '../fold/failures.ts';
import { attributes, escapeXml, seconds, shortened } from './junit-text.ts';
import { subtestTexts } from '../kinds/script/text.ts';
import { reportKind } from '../kinds/registry.ts';

export function testcase(settled: SettledCase, nameOf: CaseNamer): string {
  if (!settled.ran) {
    const { test_id: classname, reason, message = reason } = settled.skipped;
    const name = nameOf(settled.skipped);
    const open = `    <testcase${attributes({ classname, name, time: seconds(0) })}>\n`;
    return `${open}      <skipped${attributes({ message })}/>\n    </testcase>\n`;
  }
  const { result, kind } = settled;
  const { test_id: classname, duration_ms } = result;
  const open = `    <testcase${attributes({ classname, name: nameOf(result), time: seconds(duration_ms) })}`;
  const body = failureElement(result, kind) + outputElement(result, kind);
  return body === '' ? `${open}/>\n` : `${open}>\n${body}    </testcase>\n`;
}

function failureElement(result: CaseResult, kind: KindId): string {
  if (result.status === 'passed') return '';
  // A timeout is a result of the agent, so it is a failure; an error means that the case could not be judged.
  const tag = result.status === 'error' ? 'error' : 'failure';
  const message = result.error ?? result.status;
  const text = explanation(result, kind);
  return `      <${tag}${attributes({ message, type: failureType(result, kind) })}>${escapeXml(text)}</${tag}>\n`;
}

/** The `type` of a failure element. */
function failureType(result: CaseResult, kind: KindId): string {
  const { status, code, undecided } = result;
  if (undecided === true) return 'undecided';
  const { failureType: ownType, throwsItself } = reportKind(kind);
  const type = ownType?.(result);
  if (type !== undefined) return type;
  if (throwsItself === true && code === 'agent') return 'exception';
  return status === 'error' ? (code ?? 'error') : status;
}

function explanation(result: CaseResult, kind: KindId): string {
  const runs = result.run_details;
  if (runs === undefined) return shortened(reasons(result, kind));
  const texts = runs
    .filter((run) => run.status !== 'passed')
    .map((run) => `run ${run.run}: ${run.status}\n${reasons(run, kind)}`);
  const unclear = undecidedText(result);
  const counts = `${result.passed} of ${result.runs} runs passed${unclear === '' ? '' : `: ${unclear}`}`;
  return shortened(`${counts}\n${texts.join('\n')}`);
}

function reasons(run: CaseResult | RunDetail, kind: KindId): string {
  const { stack, subtests } = run;
  const lines = listFailures(run, kind).map(failureText);
  if (stack !== undefined) lines.push(lines.some((line) => stack.startsWith(line)) ? framesIn(stack) : stack);
  return [...lines, ...subtestTexts(subtests)].join('\n');
}

/** The part of a stack after the message. */
function framesIn(stack: string): string {
  const at = stack.search(/\n\s+at /);
  return at === -1 ? '' : stack.slice(at + 1);
}

function failureText(failure: Failure): string {
  const { detail, at } = failure;
  const lines = [failureHeadline(failure)];
  // The whole stack is added below.
  if (detail?.type === 'diff') lines.push(detail.text);
  else if (detail?.type === 'values') lines.push(...valueTexts(detail));
  if (at !== undefined) lines.push(`at ${at}`);
  return lines.join('\n');
}

/** The mark of a case in quarantine, what advisory assertions found, and the logs. For a passed case with failed runs, these runs come first. */
function outputElement(result: CaseResult, kind: KindId): string {
  const { status, runs, passed, logs = [], quarantined } = result;
  const texts = quarantined === undefined ? [] : [markText(quarantined)];
  if (status === 'passed' && passed < runs) texts.push(explanation(result, kind));
  texts.push(...advisoryTexts(result, kind));
  texts.push(...(reportKind(kind).outputFacts?.(result) ?? []));
  if (logs.length > 0) texts.push(shortened(logs.join('\n')));
  if (texts.length === 0) return '';
  return `      <system-out>${escapeXml(texts.join('\n'))}</system-out>\n`;
}
