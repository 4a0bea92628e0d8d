// `assay convert promptfoo`: writes cases, agents and connectors, and lists what could not be carried over.

import { dirname, join } from 'node:path';
import type { FlagsOf } from '../../application/options/options.ts';
import type { Conversion } from '../../convert/convert-promptfoo.ts';
import { convertPromptfoo } from '../../convert/convert-promptfoo.ts';
import type { Loss, LossKind } from '../../convert/losses.ts';
import { EXIT } from '../../model/exit-code.ts';
import { programName } from '../../platform/how-started.ts';
import { counted } from '../../report/text/run-words.ts';
import type { Io } from '../../run/io.ts';
import { oneLine } from '../../text/untrusted.ts';

/** Exit code 1 if something is missing or changed. */
export async function convertPromptfooCommand(
  file: string,
  { output, force = false, json = false }: FlagsOf<'convert.promptfoo'>,
  { cwd, stdout }: Pick<Io, 'cwd' | 'stdout'>,
): Promise<number> {
  const folder = output ?? join(dirname(file), 'assay');
  const conversion = await convertPromptfoo(file, { cwd, folder, isForced: force });
  stdout.write(json ? `${JSON.stringify(toJson(file, conversion), null, 2)}\n` : describe(file, conversion));
  return conversion.losses.some(({ kind }) => kind !== 'note') ? EXIT.failed : EXIT.passed;
}

function toJson(file: string, { losses, command, ...rest }: Conversion): object {
  return { config: file, ...rest, command: commandLine(rest.folder, command), not_carried_over: losses };
}

function commandLine(folder: string, command: string): string {
  const run = `${programName()} ${command}`;
  return folder === '.' ? run : `cd ${folder} && ${run}`;
}

const TITLES: [kind: LossKind, title: string][] = [
  ['missing', 'Not carried over'],
  ['changed', 'Carried over with a difference'],
  ['note', 'Good to know'],
];
/** More places of the same loss are counted. */
const MAX_PLACES = 4;

function describe(file: string, conversion: Conversion): string {
  const { folder, files, prompts, providers, cases, command, losses } = conversion;
  const counts = [counted(prompts, 'prompt'), counted(providers, 'provider'), counted(cases, 'case')].join(
    ', ',
  );
  const lines = [`${file}: ${counts}`, '', `Written to ${folder}:`, ...files.map((path) => `  ${path}`)];
  for (const [kind, title] of TITLES) {
    const found = losses.filter((loss) => loss.kind === kind);
    if (found.length > 0)
      lines.push('', `${title}:`, ...(found.length === 0 ? [] : group(found).flatMap(describeLoss)));
  }
  lines.push('', 'Run it:', `  ${commandLine(folder, command)}`);
  return `${lines.join('\n')}\n`;
}

type Group = { loss: Loss; places: string[] };

/** The same loss at several places is told once. */
function group(losses: readonly Loss[]): Group[] {
  const groups = new Map<string, Group>();
  for (const loss of losses) {
    const key = JSON.stringify([loss.what, loss.why, loss.instead]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { loss, places: [loss.at] });
    else known.places.push(loss.at);
  }
  return [...groups.values()];
}

function describeLoss({ loss: { what, why, instead }, places }: Group): string[] {
  const more = places.length - MAX_PLACES;
  const shown = `${places.slice(0, MAX_PLACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    `  ${shown}: ${oneLine(what)}`,
    `      ${oneLine(why)}`,
    ...(instead === undefined ? [] : [`      instead: ${oneLine(instead)}`]),
  ];
}
