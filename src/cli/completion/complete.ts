// `assay __complete`, which the scripts of `assay completion` call. It prints one candidate per line as `candidate<TAB>description`. A
// line that starts with a tab is for the script: `files` with the part of the word before the file name, or `nospace`.

import type { Command } from 'commander';
import type { FlagsOf } from '../../application/options/options.ts';
import { EXIT } from '../../model/exit-code.ts';
import { oneLine } from '../../text/untrusted.ts';
import { bashReply, readBashLine } from './bash.ts';
import { completionSources } from './sources.ts';
import type { Completion } from './values.ts';
import { valuesAt } from './values.ts';
import type { Candidate } from './words.ts';
import { choiceCandidates, commandCandidates, optionCandidates, positionIn, takesArgument } from './words.ts';
import type { Io } from '../../run/io.ts';

/** Prints what can stand where the cursor is; never fails. Bash passes its line and its `COMP_WORDBREAKS` instead of words. */
export async function completeCommand(
  words: readonly string[],
  flags: FlagsOf<'__complete'>,
  { program, io }: { program: Command; io: Pick<Io, 'cwd' | 'env' | 'stdout'> },
): Promise<number> {
  const line = flags.line === undefined ? undefined : readBashLine(flags.line, flags.breaks ?? '');
  const typed = line === undefined ? words : line.words.slice(1);
  try {
    const completion = await completionFor(program, typed.length === 0 ? [''] : typed, io);
    io.stdout.write(textOf(completion, (value) => (line === undefined ? value : bashReply(value, line))));
  } catch {
    // An error message would garble the line that is being typed; no candidates are enough.
  }
  return EXIT.passed;
}

async function completionFor(
  program: Command,
  words: readonly string[],
  io: Pick<Io, 'cwd' | 'env'>,
): Promise<Completion> {
  const position = positionIn(program, words);
  const { word, prefix, option, mayBeOption } = position;
  if (option === undefined && mayBeOption && word.startsWith('-'))
    return matching({ candidates: optionCandidates(position) }, word);
  const choices = choiceCandidates(position);
  const commands = option === undefined ? commandCandidates(program, position) : [];
  const isValue = option !== undefined || takesArgument(position);
  const values = isValue ? await valuesAt(position, completionSources(io)) : { candidates: [] };
  const inWord = values.prefix ?? '';
  const whole = [...commands, ...choices, ...values.candidates.map((one) => prefixed(one, inWord))];
  return {
    ...matching({ ...values, candidates: whole }, word, prefix),
    prefix,
  };
}

function matching(completion: Completion, word: string, prefix = ''): Completion {
  const candidates = completion.candidates.filter(({ value }) => value.startsWith(word));
  return { ...completion, candidates: candidates.map((one) => prefixed(one, prefix)) };
}

function prefixed(candidate: Candidate, prefix: string): Candidate {
  return { ...candidate, value: prefix + candidate.value };
}

function textOf(
  { candidates, prefix = '', hasFiles, hasNoSpace }: Completion,
  quoted: (value: string) => string,
): string {
  const lines = candidates
    // A shell would act on control characters as if they had been typed.
    .filter(({ value }) => !/\p{Cc}/u.test(value))
    .map(({ value, description = '' }) => withTab(quoted(value), oneLine(description)));
  if (hasFiles === true) lines.push(withTab('\tfiles', prefix));
  if (hasNoSpace === true && candidates.length > 0) lines.push('\tnospace');
  return lines.map((line) => `${line}\n`).join('');
}

function withTab(text: string, more: string): string {
  return more === '' ? text : `${text}\t${more}`;
}
