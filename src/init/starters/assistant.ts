// An assistant: one of the application, else a new folder.

import { join } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { findAgent } from '../../agents/resolve/find-agent.ts';
import { isFile } from '../../platform/file-stats.ts';
import type { Starter, StarterOptions } from '../starter.ts';
import { CASE_FILE, openCases, starterCases } from '../starter.ts';

const FOLDER = 'assistants/helper';

export function assistantStarter({ project, target }: StarterOptions): Starter {
  const { assistants, folder } = project;
  const found = target ?? assistants[0];
  // The starter of an earlier call is the same starter.
  const isOwn = target === undefined && isFile(join(folder, FOLDER, 'assay.agent.json'));
  if (found === undefined || isOwn) return starter();

  const agent = findAgent(found, { root: folder, cwd: folder });
  if (agent.type !== 'folder') throw new ConfigError(`"${found}" is not the folder of an assistant`);
  const others = assistants.filter((id) => id !== found);
  return {
    type: 'assistant',
    files: {},
    name: found,
    input: CASE_FILE,
    cases: openCases(),
    notes:
      target === undefined && others.length > 0
        ? [
            `The tests are for ${found}; "name" in assay.config.ts can also be ${others.slice(0, 5).join(', ')}.`,
          ]
        : [],
  };
}

function starter(): Starter {
  return {
    type: 'assistant',
    files: {
      [`${FOLDER}/assay.agent.json`]: PACKAGE,
      [`${FOLDER}/src/index.ts`]: HOOKS,
    },
    name: 'helper',
    input: `${FOLDER}/tests/${CASE_FILE}`,
    cases: starterCases(`Change ${FOLDER}/src/index.ts, or write prompts.yml and name a connector.`, {
      schema: '../../../',
    }),
    notes: [],
  };
}

const PACKAGE = `{
  // Describes the assistant in this folder. Its hooks are in src/index.ts.
  // For a model: write prompts.yml here, a connector in connectors/, and name it: "connector": "openai.mini"
  "name": "Helper",
  "description": "Answers questions of customers"
}
`;

const HOOKS = `// The hooks of the assistant. Next gets the answer of the model, if the assistant has prompts, and returns the answer to the user.

type Payload = { messages: { role: string; content: string }[] };

export function Next(_ctx: unknown, payload: Payload) {
  const question = payload.messages.at(-1)?.content ?? '';
  if (/refund|charged/i.test(question)) return { data: 'You get a refund within five days.' };
  return { data: 'We are open from Monday to Friday, 9 to 17.' };
}
`;
