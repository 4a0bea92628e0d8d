// Describes why a test file ended without success.

import { errorText } from './error-text.ts';
import { LOST_RESULT_CODE } from './messages.ts';
import type { EndedRun } from './run-process.ts';

/** The exit code when V8 aborts because its heap is full. */
const ABORTED_CODE = 134;

/** One sentence on the end of a run, with the uncaught error or the last line of stderr. */
export function describeExit(run: EndedRun, context: { cwd: string; runner: string }): string {
  const { state, ending, stderr } = run;
  const isAnswered = state.answer !== undefined;
  const when = isAnswered ? 'after its result' : 'before it gave a result';
  const output = stderr.text();
  if (isOutOfMemory(run, output)) return `ran out of memory ${when}: ${memoryMessage(output)}`;
  if (ending.signal !== null) return `was ended by ${ending.signal} ${when}${signalHint(ending.signal)}`;
  if (!isAnswered && ending.code === LOST_RESULT_CODE)
    return 'its result was lost: the test closed file descriptor 3, which carries it';
  if (!isAnswered && state.isDrained) return `ended ${when}: it awaits a promise that can never settle`;
  const how = isAnswered ? 'exited with code' : 'ended with exit code';
  return `${how} ${String(ending.code)} ${when}${exitDetail(run, output, context)}`;
}

function isOutOfMemory({ state, ending }: EndedRun, output: string): boolean {
  if (state.crashed?.message.includes('reaching memory limit') === true) return true;
  const isAborted =
    ending.signal === 'SIGABRT' || ending.signal === 'SIGTRAP' || ending.code === ABORTED_CODE;
  return isAborted && /FATAL ERROR|heap out of memory/.test(output);
}

function memoryMessage(output: string): string {
  const line = output.split('\n').findLast((text) => /FATAL ERROR|heap out of memory/.test(text));
  return line?.trim() ?? 'the JavaScript heap is full';
}

function signalHint(signal: string): string {
  return signal === 'SIGKILL' ? '; the system does that when its memory is full' : '';
}

function exitDetail({ state, ending }: EndedRun, output: string, context: { cwd: string; runner: string }) {
  if (ending.code === 0) return '';
  if (state.crashed !== undefined) return `: ${errorText(state.crashed, context)}`;
  const last = output.split('\n').findLast((line) => line.trim() !== '');
  return last === undefined ? '' : `: ${last.trim().slice(0, 1000)}`;
}
