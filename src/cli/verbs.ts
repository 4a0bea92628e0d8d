// The verbs of the program: how `--help` describes each, and the function that runs it. Their options are in application/options/.

import type { Command } from 'commander';
import type { OptionVerb } from '../application/options/option.ts';
import type { FlagsOf } from '../application/options/options.ts';
import type { Io } from '../run/io.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The call of a verb: its arguments as words, and its flags. */
type Call<Flags> = { words: string[]; flags: Flags; io: Io; program: Command };

type VerbWith<Name extends OptionVerb> = {
  description: string;
  arguments?: readonly { name: string; help?: string; choices?: readonly string[] }[];
  examples?: string;
  hidden?: true;
  /** The verb whose options it shares. */
  optionsOf?: Name;
  /** Runs the verb and gives the exit code. */
  run(call: Call<FlagsOf<Name>>): Promise<number>;
};

/** A verb to a caller that does not know its flags. */
export type Verb = Omit<VerbWith<never>, 'optionsOf' | 'run'> & {
  optionsOf?: OptionVerb;
  run(call: Call<object>): Promise<number>;
};

type Verbs = { [Name in OptionVerb]: VerbWith<Name> } & {
  suite: VerbWith<'run'>;
  'plan.suite': VerbWith<'plan.run'>;
  completion: VerbWith<never>;
  __evaluate: VerbWith<never>;
};

const TAPE_FOLDER = {
  name: '[folder]',
  help: 'the folder of the recordings (default: that of the settings)',
};

const INPUT_WORDS = {
  name: '[cases and agent...]',
  help: 'case files and the agent to test, like cases.jsonl ./agent.ts; as -i and -n take them, but no messages',
};
const TESTS_ARGUMENT = {
  name: '<tests...>',
  help: 'ids, patterns of ids, tag:<tag>; assay list shows them',
};
const SUITE_ARGUMENT = { name: '<suite>', help: 'its id; assay list --suites shows them' };

/** All verbs, in the order of `assay --help`. */
export const VERBS: Verbs = {
  init: {
    description: 'start here: write a first agent, cases and a configuration',
    arguments: [
      {
        name: '[agent]',
        help: 'the agent you have: a file, an address, or the folder or id of an assistant',
      },
    ],
    examples: `
Examples:
  assay init                                     asks what your agent is
  assay init --yes                               asks nothing, and writes an example
  assay init src/agent.ts                        cases for an agent that you have
  assay init http://localhost:8000/chat          the same for an endpoint
  assay init --agent python --workflow           a Python example, and a workflow for GitHub

It never overwrites a file: what is there is kept, and the summary says so.
`,
    run: async ({ words: [agent], flags, io }) =>
      (await import('./verbs/init.ts')).initCommand(agent, flags, io),
  },
  test: {
    description: 'run test cases or a message against an agent',
    arguments: [INPUT_WORDS],
    examples: `
Examples:
  assay test cases.jsonl ./agent.ts                run the cases of a file
  assay test cases.jsonl agent.py --parallel 8     eight at the same time
  assay test cases.jsonl http://localhost:3000 --run refund
                                                   only the cases whose id matches
  assay test -i "hello" ./agent.ts                 ask an agent once
  assay test --failed                              again what did not pass
`,
    async run({ words, flags, io }) {
      const { testCommand } = await import('./test.ts');
      return testCommand(await withWords(words, flags, { io, verb: 'test' }), io);
    },
  },
  run: {
    description: 'run tests by their definitions',
    arguments: [TESTS_ARGUMENT],
    examples: `
Examples:
  assay run greeting --var Language=en             a test, with another value of a variable
  assay run 'greet*' tag:smoke --runs 5            by pattern and by tag
  assay run greeting --runs auto --target 80       until each case is decided
  assay run tag:smoke --gate 'pass_rate >= 90'     what all of them together must reach
  assay run greeting --matrix AIConfiguration=a,b  the same on two models
  assay list greeting --show-variables             which variables it has
  assay test --failed                              again what did not pass
  assay test --resume last                         go on with a run that was stopped
`,
    run: async ({ words, flags, io }) =>
      (await import('./test.ts')).testCommand({ ...flags, selection: { tests: words } }, io),
  },
  suite: {
    description: 'run the tests of a suite',
    arguments: [SUITE_ARGUMENT],
    optionsOf: 'run',
    run: async ({ words: [suite = ''], flags, io }) =>
      (await import('./test.ts')).testCommand({ ...flags, selection: { suite } }, io),
  },
  skills: {
    description: 'list the skills of an application, or run their tests',
    arguments: [
      {
        name: '[skills...]',
        help: '"all", or names of skills, or test files; "new <skill>" writes a test to start from',
      },
    ],
    examples: `
Examples:
  assay skills                       choose skills to test; without a terminal, list them
  assay skills all                   run the tests of all skills
  assay skills equipment pricing     run the tests of some
  assay skills new pricing           write tests/pricing.tests.mjs to start from; --runner node or vitest
`,
    run: async ({ words, flags, io }) => (await import('./skills/skills.ts')).skillsCommand(words, flags, io),
  },
  grade: {
    description: 'judge recorded answers again, with other assertions, without running the agent',
    arguments: [
      {
        name: '<recordings...>',
        help: 'a run log, or sessions: OpenTelemetry traces, Claude Code, Codex and ATIF files, or folders of them',
      },
    ],
    examples: `
Examples:
  assay grade output.jsonl                       with the case files of the log as they are now
  assay grade output.jsonl -i stricter.jsonl     with other assertions; cases are found by id
  assay grade ~/.claude/projects/my-app -i rules.jsonl
                                                 every session of a folder; "id": "*" is for all
  assay grade traces.json -i rules.jsonl --gate 'pass_rate >= 90'
  assay compare output.jsonl graded.jsonl        what the new assertions change
`,
    run: async ({ words, flags, io }) => (await import('./verbs/grade.ts')).gradeCommand(words, flags, io),
  },
  list: {
    description: 'list types, tests and suites',
    arguments: [{ name: '[id]', help: 'only the definition with this id' }],
    run: async ({ words: [id], flags, io }) => (await import('./verbs/list.ts')).listCommand(id, flags, io),
  },
  validate: {
    description: 'check all types, tests and suites',
    run: async ({ flags, io }) => (await import('./verbs/validate.ts')).validateCommand(flags, io),
  },
  import: {
    description: 'bring run logs into the history',
    arguments: [{ name: '<logs...>', help: '.jsonl files of runs' }],
    run: async ({ words, flags, io }) => (await import('./verbs/history.ts')).importCommand(words, flags, io),
  },
  history: {
    description: 'list the runs in the history, newest first',
    arguments: [{ name: '[test]', help: 'only runs with cases of this test' }],
    run: async ({ words: [test], flags, io }) =>
      (await import('./verbs/history.ts')).historyCommand(test, flags, io),
  },
  show: {
    description: 'show a run of the history with its cases',
    arguments: [{ name: '<run>', help: 'its id, the beginning of it, or "latest"' }],
    run: async ({ words: [run = ''], flags, io }) =>
      (await import('./verbs/history.ts')).showCommand(run, flags, io),
  },
  compare: {
    description: 'compare two runs: is the new one worse? exit 1 if that is shown',
    arguments: [
      { name: '[runs...]', help: 'two runs, baselines, branch:<branch> or run logs: the earlier one first' },
    ],
    examples: `
Examples:
  assay compare --latest                         the last run with the ones before it
  assay compare main latest                      a baseline (assay baseline set <run> main)
  assay compare before.jsonl after.jsonl         two logs, without a history
  assay compare branch:main latest -o compare.md
  assay compare --self after.jsonl               how much a suite differs from itself
`,
    run: async ({ words, flags, io }) =>
      (await import('./verbs/compare.ts')).compareCommand(words, flags, io),
  },
  prune: {
    description: 'remove old runs from the history',
    run: async ({ flags, io }) => (await import('./verbs/history.ts')).pruneCommand(flags, io),
  },
  report: {
    description: 'make a report from a run log',
    arguments: [{ name: '<log>', help: 'the .jsonl file of a run' }],
    run: async ({ words: [log = ''], flags, io }) =>
      (await import('./verbs/report.ts')).reportCommand(log, flags, io),
  },
  view: {
    description: 'show runs, tests and suites in a browser, and run them from there',
    examples: `
Examples:
  assay view --open                  look at the runs of this application
  assay view --store ci.db           look at those of another history

Only this machine can reach it, and starting a run needs the printed address. Ctrl-C stops it.
`,
    run: async ({ flags, io }) => (await import('./verbs/view.ts')).viewCommand(flags, io),
  },
  flaky: {
    description: 'cases that flip between runs, and cases that changed once and stayed so',
    arguments: [{ name: '[test]', help: 'only the cases of this test, like tests/inputs.jsonl' }],
    run: async ({ words: [test], flags, io }) =>
      (await import('./verbs/flaky.ts')).flakyCommand(test, flags, io),
  },
  'plan.test': {
    description: 'what assay test would cost and show',
    arguments: [INPUT_WORDS],
    examples: `
Examples:
  assay plan test -i cases.jsonl --runs 3                  from the newest runs in the history
  assay plan test -i cases.jsonl --against main --margin 3 the fewest runs that show a drop of 3 points
  assay plan test -i cases.jsonl --runs 3 --min-pass-rate 80
                                                           how likely is it to pass at all?
`,
    async run({ words, flags, io }) {
      const { planCommand } = await import('./verbs/plan.ts');
      return planCommand(await withWords(words, flags, { io, verb: 'plan test' }), io);
    },
  },
  'plan.run': {
    description: 'what assay run would cost and show',
    arguments: [TESTS_ARGUMENT],
    examples: `
Examples:
  assay plan run greeting --runs 5
  assay plan run greeting --matrix AIConfiguration=a,b     all combinations together
`,
    run: async ({ words, flags, io }) =>
      (await import('./verbs/plan.ts')).planCommand({ ...flags, selection: { tests: words } }, io),
  },
  'plan.suite': {
    description: 'what assay suite would cost and show',
    arguments: [SUITE_ARGUMENT],
    optionsOf: 'plan.run',
    run: async ({ words: [suite = ''], flags, io }) =>
      (await import('./verbs/plan.ts')).planCommand({ ...flags, selection: { suite } }, io),
  },
  'baseline.list': {
    description: 'all names, and the runs they stand for',
    run: async ({ flags, io }) => (await import('./verbs/baseline.ts')).listBaselines(flags, io),
  },
  'baseline.set': {
    description: 'give a run a name; a name that exists moves to it',
    arguments: [
      { name: '<run>', help: 'its id, the beginning of its id, or latest' },
      { name: '[name]', help: 'default: default' },
    ],
    run: async ({ words: [run = '', name], flags, io }) =>
      (await import('./verbs/baseline.ts')).setBaseline(run, name, flags, io),
  },
  'baseline.show': {
    description: 'the runs that a baseline consists of',
    arguments: [{ name: '[baseline]', help: 'a name, a run, branch:<branch> or latest (default: default)' }],
    run: async ({ words: [baseline], flags, io }) =>
      (await import('./verbs/baseline.ts')).showBaseline(baseline, flags, io),
  },
  'baseline.remove': {
    description: 'forget a name; the run stays',
    arguments: [{ name: '<name>', help: 'assay baseline lists them' }],
    run: async ({ words: [name = ''], flags, io }) =>
      (await import('./verbs/baseline.ts')).removeBaseline(name, flags, io),
  },
  'tapes.list': {
    description: 'what is recorded: cases, runs, requests',
    arguments: [TAPE_FOLDER],
    run: async ({ words: [folder], flags, io }) =>
      (await import('./verbs/tapes.ts')).listTapes(folder, flags, io),
  },
  'tapes.prune': {
    description: 'remove what the last replay did not use',
    arguments: [TAPE_FOLDER],
    run: async ({ words: [folder], flags, io }) =>
      (await import('./verbs/tapes.ts')).pruneTapes(folder, flags, io),
  },
  'tapes.diff': {
    description: 'compare two folders of recordings, or two of their files; exit 1 if they differ',
    arguments: [
      { name: '<before>', help: 'a folder of recordings, or one file' },
      { name: '<after>', help: 'another one' },
    ],
    run: async ({ words: [before = '', after = ''], flags, io }) =>
      (await import('./verbs/tapes-diff.ts')).diffTapes(before, after, flags, io),
  },
  'convert.promptfoo': {
    description: 'convert a configuration of promptfoo; exit 1 if something could not be carried over',
    arguments: [{ name: '<config>', help: 'promptfooconfig.yaml, or a JSON file' }],
    examples: `
Examples:
  assay convert promptfoo promptfooconfig.yaml           into the folder assay beside it
  assay convert promptfoo promptfooconfig.yaml -o tests  into another folder
  assay convert promptfoo promptfooconfig.yaml --json    the list for programs

Files that exist are not replaced, unless --force says so.
`,
    run: async ({ words: [config = ''], flags, io }) =>
      (await import('./verbs/convert.ts')).convertPromptfooCommand(config, flags, io),
  },
  completion: {
    description: 'print a script that completes commands, names and values in a shell',
    arguments: [{ name: '<shell>', help: 'bash, zsh or fish', choices: SHELLS }],
    async run({ words: [shell], io }) {
      const { completionCommand } = await import('./completion/completion.ts');
      // The cast is safe: commander has checked the choices.
      return completionCommand(shell as Shell, io);
    },
  },
  __evaluate: {
    description: '',
    arguments: [{ name: '[worker]' }],
    hidden: true,
    run: async ({ io }) => (await import('./verbs/evaluate.ts')).serveRun(io),
  },
  __complete: {
    description: '',
    arguments: [{ name: '[words...]' }],
    hidden: true,
    run: async ({ words, flags, io, program }) =>
      (await import('./completion/complete.ts')).completeCommand(words, flags, { program, io }),
  },
};

/** The flags of a run with its inputs and its agent, which can be words. */
async function withWords<Flags extends FlagsOf<'test'>>(
  words: readonly string[],
  flags: Flags,
  { io, verb }: { io: Io; verb: string },
): Promise<Flags> {
  if (words.length === 0) return flags;
  const { readInputWords } = await import('./input-words.ts');
  return readInputWords(words, flags, { cwd: io.cwd, verb });
}
