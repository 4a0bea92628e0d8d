// A Python function: the one of the user, else one to start from.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { isFile } from '../../platform/file-stats.ts';
import { didYouMeanFile } from '../../platform/nearest-file.ts';
import { readPythonReference } from '../../scripts/python-reference.ts';
import type { Starter, StarterOptions } from '../starter.ts';
import { CASE_FILE, openCases, starterCases } from '../starter.ts';

export function pythonStarter({ project: { folder }, target }: StarterOptions): Starter {
  const file = join(folder, 'agent.py');
  const isAgent = isFile(file) && /^(?:async )?def answer\(/m.test(readFileSync(file, 'utf8'));
  const found = target ?? (isAgent ? 'agent.py' : undefined);
  if (found !== undefined) return existing(found, folder);
  const name = isFile(file) ? 'example_agent.py' : 'agent.py';
  return {
    type: 'python',
    files: { [name]: AGENT },
    name: `./${name}`,
    input: CASE_FILE,
    cases: starterCases(`Change ${name}, or "name" in assay.config.ts, so that your agent answers.`),
    notes: [],
  };
}

function existing(target: string, folder: string): Starter {
  const reference = readPythonReference(target);
  if (reference === undefined)
    throw new ConfigError(`"${target}" is not a Python file`, {
      hint: 'name the file, and the function if it is not called answer: assay init agent.py:reply',
    });
  const file = join(folder, reference.path);
  if (!isFile(file)) {
    const hint = didYouMeanFile(file, folder);
    throw new ConfigError(`there is no file "${reference.path}"`, hint === undefined ? {} : { hint });
  }
  return {
    type: 'python',
    files: {},
    name: /^\.{0,2}[/\\]/.test(target) ? target : `./${target}`,
    input: CASE_FILE,
    cases: openCases(),
    notes: [`${target} is the agent: its function ${reference.name ?? 'answer'} answers.`],
  };
}

const AGENT = `"""The agent that Assay tests. Let the function call your agent and return its answer."""


def answer(messages, ctx):
    """Gets the messages of a case. Returns text, or anything that is JSON."""
    question = messages[-1]["content"]
    if "refund" in question or "charged" in question:
        return "You get a refund within five days."
    return "We are open from Monday to Friday, 9 to 17."
`;
