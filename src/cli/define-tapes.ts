// `assay tapes` and the options that record and replay, as `--help` shows them.

import type { Command } from 'commander';

export type TapeFlags = { json?: boolean; dryRun?: boolean; run?: string };

export type TapeHandlers = {
  listTapes(folder: string | undefined, flags: TapeFlags): Promise<void>;
  pruneTapes(folder: string | undefined, flags: TapeFlags): Promise<void>;
  diffTapes(before: string, after: string, flags: TapeFlags): Promise<void>;
};

/** Adds the options of recording to a command that runs attempts. */
export function tapeOptions(command: Command): Command {
  return command
    .option('--record <folder>', 'record the model, tool and HTTP traffic of every run')
    .option('--replay <folder>', 'answer from recordings: no network, no keys, no costs')
    .option('--record-missing', 'with --replay: make for real, and record, what has no recording')
    .option(
      '--replay-speed <factor>',
      'with --replay: 1 takes as long as it took, 2 half of it (default: at once)',
    );
}

/** Declares the command. */
export function defineTapes(program: Command, { listTapes, pruneTapes, diffTapes }: TapeHandlers): void {
  const tapes = program
    .command('tapes')
    .description('list, prune or compare recordings')
    .showHelpAfterError('(assay tapes --help lists its commands)')
    .addHelpText('after', EXAMPLES);
  tapes
    .command('list', { isDefault: true })
    .description('what is recorded: cases, runs, requests')
    .argument('[folder]', 'the folder of the recordings (default: that of the settings)')
    .option('--json', 'the list as JSON')
    .action(listTapes);
  tapes
    .command('prune')
    .description('remove what the last replay did not use')
    .argument('[folder]', 'the folder of the recordings (default: that of the settings)')
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'the result as JSON')
    .action(pruneTapes);
  tapes
    .command('diff')
    .description(
      'what is different in two folders of recordings, or in two of their files; exit 1 if anything is',
    )
    .argument('<before>', 'a folder of recordings, or one file')
    .argument('<after>', 'another one')
    .option('--run <regex>', 'only cases whose id matches (RE2)')
    .option('--json', 'the differences as JSON')
    .action(diffTapes);
}

const EXAMPLES = `
Examples:
  assay test -i cases.jsonl --record tapes       record once
  assay test -i cases.jsonl --replay tapes       replay as often as you like
  assay tapes tapes                              what is recorded
  assay tapes prune tapes                        remove what the last replay did not use
  assay tapes diff tapes tonight                 what has changed since
`;
