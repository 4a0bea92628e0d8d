// Why a test file that did not end well ended.

import { errorText } from './error-text.ts';
import { LOST_RESULT_CODE } from './messages.ts';
import type { EndedRun } from './run-process.ts';

/** V8 ends a process this way when its heap is full. */
const ABORTED_CODE = 134;

/** One sentence on the end of a run, with the error that nobody caught or the last line of stderr. */
export function howItEnded(run: EndedRun, telling: { cwd: string; runner: string }): string {
  const { course, ending, stderr } = run;
  const isAnswered = course.answer !== undefined;
  const when = isAnswered ? 'after its result' : 'before it gave a result';
  const words = stderr.text();
  if (isOutOfMemory(run, words)) return `ran out of memory ${when}: ${memoryWords(words)}`;
  if (ending.signal !== null) return `was ended by ${ending.signal} ${when}${signalHint(ending.signal)}`;
  if (!isAnswered && ending.code === LOST_RESULT_CODE)
    return 'its result was lost: the test closed file descriptor 3, which carries it';
  if (!isAnswered && course.isDrained)
    return `ended ${when}: it waits for a promise that nothing is left to settle`;
  const how = isAnswered ? 'exited with code' : 'ended with exit code';
  return `${how} ${String(ending.code)} ${when}${detailOf(run, words, telling)}`;
}

function isOutOfMemory({ course, ending }: EndedRun, words: string): boolean {
  if (course.crashed?.message.includes('reaching memory limit') === true) return true;
  const isAborted =
    ending.signal === 'SIGABRT' || ending.signal === 'SIGTRAP' || ending.code === ABORTED_CODE;
  return isAborted && /FATAL ERROR|heap out of memory/.test(words);
}

function memoryWords(words: string): string {
  const line = words.split('\n').findLast((text) => /FATAL ERROR|heap out of memory/.test(text));
  return line?.trim() ?? 'the JavaScript heap is full';
}

function signalHint(signal: string): string {
  return signal === 'SIGKILL' ? '; the system does that when its memory is full' : '';
}

function detailOf({ course, ending }: EndedRun, words: string, telling: { cwd: string; runner: string }) {
  if (ending.code === 0) return '';
  if (course.crashed !== undefined) return `: ${errorText(course.crashed, telling)}`;
  const last = words.split('\n').findLast((line) => line.trim() !== '');
  return last === undefined ? '' : `: ${last.trim().slice(0, 1000)}`;
}
