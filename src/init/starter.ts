// An agent to start from, and what the configuration says about it.

import type { AgentType } from './agent-type.ts';
import type { Project } from './project.ts';

/** The agent of the new tests: files to write, and how the configuration names it. */
export type Starter = {
  type: AgentType;
  /** Files of the agent, by their paths below the project. */
  files: { [path: string]: string };
  /** The value of `name` in the configuration; without it, the agent is the one around the cases. */
  name?: string;
  /** The case file. */
  input: string;
  cases: string;
  /** The function that starts what the agent needs. */
  beforeAll?: string;
  /** Told after the files: things that the user has to do or to know. */
  notes: string[];
};

export type StarterOptions = {
  project: Project;
  /** The agent that the user has: a file, a folder, an id or an address. */
  target?: string | undefined;
};

/** The case file if the agent has no folder of its own. */
export const CASE_FILE = 'agent.cases.yml';

/** The cases of an agent that answers as the starters do. `change` says where the agent is. */
export function starterCases(change: string, { schema = './' } = {}): string {
  return `# yaml-language-server: $schema=${schema}node_modules/assay/schemas/cases.schema.json
#
# The cases: what to ask the agent, and what its answer must satisfy.
# ${change}
# Then replace these cases by questions that your users ask.

- id: refund
  description: A customer wants their money back
  input: I was charged twice. Can I have a refund?
  assert:
    # The answer has this text. Try another word and run again, to see a case fail.
    - type: contains
      value: refund
    # It comes in time.
    - type: latency
      value: 10s

- id: opening-hours
  input: When do you open?
  assert:
    # Upper and lower case make no difference here.
    - type: icontains
      value: monday
    - type: not_contains
      value: refund

# More assertions: equals, regex, json_path, schema, tool_called, similar, agent (a model judges), cost …
# With "expected: <the exact answer>", a case needs no "assert".
`;
}

/** The only case that fits any agent. */
export function openCases({ schema = './' } = {}): string {
  return `# yaml-language-server: $schema=${schema}node_modules/assay/schemas/cases.schema.json
#
# The cases: what to ask the agent, and what its answer must satisfy.

- id: hello
  # Change this to a question that your users ask.
  input: Hello, what can you do?
  # Without "assert", any answer that is not empty passes. Say what the answer must have:
  # assert:
  #   - type: icontains
  #     value: help
  #   - type: latency
  #     value: 10s
`;
}
