// The questions of `assay init` on a terminal.

import type { Io } from '../run/io.ts';
import type { AgentType } from './agent-type.ts';
import { AGENT_TYPES, FRAMEWORK_PACKAGES, isFramework } from './agent-type.ts';
import type { Choice, InitFlags } from './choose.ts';
import { guessType, readType, typeOf } from './choose.ts';
import type { Project } from './project.ts';

/** Where the agent of each type is. */
const TARGETS: { [Type in AgentType]?: { message: string; placeholder: string } } = {
  function: { message: 'Which file has it as its default export?', placeholder: 'src/agent.ts' },
  http: { message: 'What is its address?', placeholder: 'http://localhost:8000/chat' },
  python: { message: 'Which file, and which function?', placeholder: 'agent.py:answer' },
  assistant: { message: 'What is its id or folder?', placeholder: 'assistants/helper' },
};

/** Asks what the flags leave open; undefined if the user went away. */
export async function ask(
  flags: InitFlags,
  target: string | undefined,
  { project, io }: { project: Project; io: Pick<Io, 'stdin' | 'stdout'> },
): Promise<Choice | undefined> {
  const { confirm, isCancel, select, text } = await import('@clack/prompts');
  const streams = { input: io.stdin, output: io.stdout };

  let type = readType(flags.agent) ?? (target === undefined ? undefined : typeOf(target, project));
  if (type === undefined) {
    const picked = await select({
      message: 'What is your agent?',
      options: offered(project),
      initialValue: guessType(project),
      ...streams,
    });
    if (isCancel(picked)) return undefined;
    type = picked;
  }

  let named = target;
  if (named === undefined) {
    const question = TARGETS[isFramework(type) ? 'function' : type];
    const typed = await text({
      message: `${question?.message ?? 'Where is it?'} Press Enter for an example to start from.`,
      placeholder: question?.placeholder,
      ...streams,
    });
    if (isCancel(typed)) return undefined;
    const given = (typed ?? '').trim();
    named = given === '' ? undefined : given;
  }

  if (flags.workflow === true) return { type, target: named, workflow: true };
  const workflow = await confirm({
    message: 'Run the tests on GitHub, too?',
    initialValue: false,
    ...streams,
  });
  if (isCancel(workflow)) return undefined;
  io.stdout.write('\n');
  return { type, target: named, workflow };
}

/** The frameworks of package.json first; those that are not there are left out. */
function offered({ frameworks }: Project): { value: AgentType; label: string; hint?: string }[] {
  const others = (Object.keys(AGENT_TYPES) as AgentType[]).filter((type) => !isFramework(type));
  return [
    ...frameworks.map((type) => ({
      value: type,
      label: AGENT_TYPES[type],
      hint: `${FRAMEWORK_PACKAGES[type]} is in package.json`,
    })),
    ...others.map((type) => ({ value: type, label: AGENT_TYPES[type] })),
  ];
}
