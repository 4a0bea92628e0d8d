// The inputs that the definition of a test names.

import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Defined } from '../../definitions/read-definitions.ts';
import { ConfigError } from '../../errors.ts';
import type { InputSource } from '../../kinds/registry.ts';
import type { Named } from '../inputs/inputs.ts';
import { resolveInputs } from '../inputs/inputs.ts';
import type { TestDefinition } from '../../model/definition.ts';
import type { Settings } from '../../application/options/options.ts';
import { quote } from '../../text/quote.ts';
import { withTests } from '../inputs/expand-patterns.ts';

type ExpandOptions = { root: string; cwd: string; settings: Settings; warn: (text: string) => void };

/** The inputs of a test; the label tells several of them apart. */
export async function sourcesOf(
  test: Defined<TestDefinition>,
  { root, cwd, settings, warn }: ExpandOptions,
): Promise<{ source: InputSource; label: string }[]> {
  const { folder, file = folder } = test;
  if (test.cases !== undefined) {
    const source: InputSource = { type: 'cases', path: file, cases: test.cases, lines: test.caseLines ?? [] };
    return [{ source, label: test.id }];
  }
  const named = await namedBy(test);
  const meant = await withTests(named, { root, cwd, settings, warn });
  return meant.map((source) => {
    if ('name' in source) return { source, label: source.name };
    if (source.type === 'file') return { source, label: relative(folder, source.path) };
    throw new ConfigError(`${quote(test.input)} is no case file`, { hint: 'a case file ends in .jsonl' });
  });
}

async function namedBy({ folder, script, skill, input = [] }: Defined<TestDefinition>): Promise<Named[]> {
  if (skill !== undefined)
    return [
      {
        type: 'pattern',
        kind: 'skill',
        value: /^skills\.|\.tests?\.\w+$/.test(skill) ? skill : `skills.${skill}`,
      },
    ];
  const values = script === undefined ? [input].flat() : [script];
  return resolveInputs(values, { cwd: folder, readStdin: noStdin, stdinFolder: () => folder });
}

function noStdin(): never {
  throw new ConfigError('a test does not read standard input', { hint: 'name a case file' });
}

/** The agent as `-n` takes it; a path starts from the folder of the definition. */
export function agentOf(agent: string, folder: string): string {
  const path = resolve(folder, agent);
  const isPath = /^\.{1,2}(?:[/\\]|$)/.test(agent) || (/[/\\]|\.[cm]?[jt]s$/.test(agent) && existsSync(path));
  return isPath && !/^\w+:\/\//.test(agent) ? path : agent;
}
