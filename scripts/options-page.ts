// The table of options becomes docs/options.md; `npm run schemas` writes it.

import type { OptionVerb } from '../src/application/options/option.ts';
import type { NamedOption } from '../src/application/options/options.ts';
import { OPTION_GROUPS } from '../src/application/options/option.ts';
import { OPTIONS } from '../src/application/options/options.ts';

const HEAD = `# Options

Flags win over the environment, the environment over \`assay.config.*\`, and that over the defaults. \`assay suite\` has the options of
\`assay run\`, and \`assay plan\` those of the command that follows it. \`assay <verb> --help\` describes an option in the words of the verb.
`;

const TABLE = `
| flag | environment | \`assay.config\` | default | verbs | meaning |
|---|---|---|---|---|---|
`;

/** The text of docs/options.md: the verbs that run tests by the groups of their `--help`, then the others. */
export function optionsPage(): string {
  const shown = OPTIONS.filter(({ hidden }) => hidden !== true);
  const groups = Object.entries(OPTION_GROUPS).map(([id, title]) => {
    const options = shown.filter(({ group }) => group === id);
    return `\n### ${title}\n${table(options)}`;
  });
  const ungrouped = shown.filter(({ group }) => group === undefined);
  const settings = `\n### Only in the configuration\n${table(ungrouped.filter(isOfRuns))}`;
  const others = ungrouped.filter((option) => !isOfRuns(option));
  return `${HEAD}\n## Running tests\n${groups.join('')}${settings}\n## Other verbs\n${table(others)}`;
}

function isOfRuns({ verbs }: NamedOption): boolean {
  return verbs === undefined || verbs.some((verb) => ['test', 'run', 'skills'].includes(verb));
}

function table(options: readonly NamedOption[]): string {
  return `${TABLE}${options.map((option) => `| ${cells(option).join(' | ')} |\n`).join('')}`;
}

function cells({ flag, help, setting, verbs = [] }: NamedOption): string[] {
  const [, meaning = help, shown = ''] = /^(.*?)(?: \(default: ([^)]*)\))?$/s.exec(help) ?? [];
  return [
    code(flag),
    code(setting?.env),
    code(setting?.key),
    escaped(shown),
    verbs.map((verb: OptionVerb) => verb.replace('.', ' ')).join(', '),
    escaped(meaning),
  ];
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``;
}

function escaped(text: string): string {
  return text.replaceAll(/[<*|]/g, (character) => `\\${character}`);
}
