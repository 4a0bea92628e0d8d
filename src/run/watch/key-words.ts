// The words of watch mode about its keys.

import { counted } from '../../report/text/run-words.ts';

export const HELP = [
  'Keys:',
  '  Enter  run the same cases again',
  '  a      run all cases',
  '  f      run the cases that did not pass',
  '  u      write answers of failed cases as their "expected", after a question',
  '  q      quit; a run that is on is ended, and its log is kept',
  '  h, ?   this help',
].join('\n');

/** Why a run has no cases. */
export const NOTHING = {
  again: 'The cases of the last run are gone.',
  changed: 'No case has changed.',
  failed: 'Nothing to run again: every case passed.',
} as const;

/** The line under a run. */
export function keyLine(files: number, failed: number): string {
  const keys = [
    'Enter again',
    'a all',
    ...(failed === 0 ? [] : [`f failed (${failed})`, 'u update expected']),
  ];
  return `Watching ${counted(files, 'file')}.  ${[...keys, 'q quit', 'h help'].join(' · ')}`;
}
