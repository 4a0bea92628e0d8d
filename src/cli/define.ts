// The commands and their options, as `--help` shows them.

import type { Command } from 'commander';
import { ConfigError } from '../errors.ts';
import type { StoreFlags } from '../history/application-store.ts';
import type { CompareFlags } from './compare.ts';
import type { CompleteFlags } from './completion/complete.ts';
import type { TapeHandlers } from './define-tapes.ts';
import { defineTapes, tapeOptions } from './define-tapes.ts';
import type { TestFlags } from '../run/request.ts';
import type { HistoryFlags } from './history.ts';
import type { ListFlags } from './list.ts';
import type { ValidateFlags } from './validate.ts';
import type { ViewFlags } from './view.ts';

export type Handlers = TapeHandlers & {
  version: string;
  test(flags: TestFlags): Promise<void>;
  run(tests: string[], flags: TestFlags): Promise<void>;
  suite(suite: string, flags: TestFlags): Promise<void>;
  skills(words: string[], flags: TestFlags): Promise<void>;
  list(id: string | undefined, flags: ListFlags): Promise<void>;
  validate(flags: ValidateFlags): Promise<void>;
  importLogs(logs: string[], flags: StoreFlags): Promise<void>;
  history(test: string | undefined, flags: HistoryFlags): Promise<void>;
  show(run: string, flags: StoreFlags): Promise<void>;
  compare(runs: string[], flags: CompareFlags): Promise<void>;
  prune(flags: StoreFlags & { keep?: string; olderThan?: string }): Promise<void>;
  report(log: string, options: { output?: string[]; reporter?: string; json?: boolean }): Promise<void>;
  view(flags: ViewFlags): Promise<void>;
  completion(shell: Shell): Promise<void>;
  complete(words: string[], flags: CompleteFlags, program: Command): Promise<void>;
};

const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Declares every command on `program`, or only the one that is `wanted`. */
export function defineCommands(program: Command, handlers: Handlers, wanted?: string): Command {
  program
    .name('assay')
    .description('Tests AI agents: does it work, and how reliably?')
    .version(handlers.version, '--version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .showSuggestionAfterError()
    .showHelpAfterError('(assay --help lists the commands and options)')
    .exitOverride();
  // Hundreds of options take milliseconds: the two commands that are run most get by without those of the others.
  if (wanted === 'test') defineTest(program, handlers);
  else if (wanted === 'run' || wanted === 'suite') defineRun(program, handlers);
  else for (const define of ALL) define(program, handlers);
  program.addHelpText('after', EXAMPLES);
  return program;
}

const ALL = [
  defineTest,
  defineRun,
  defineSkills,
  defineList,
  defineValidate,
  defineHistory,
  defineReport,
  defineView,
  defineTapes,
  defineCompletion,
];

function defineTest(program: Command, { test }: Handlers): void {
  const command = program
    .command('test')
    .description('run test cases or a message against an agent')
    .showHelpAfterError('(assay test --help lists its options)')
    .option(
      '-i, --input <value>',
      'case file (.jsonl), glob, folder, "-" for stdin, a message, script tests (scripts.<assistant>.<module>, scripts.*), skill tests (skills.<skill>, skills.*), or a generator of cases (agents:<id>, scripts:<path>.<Fn>, with ?name=value); repeatable',
      collect,
    )
    .option('-o, --output <path>', OUTPUT, collect)
    .option(
      '-n, --name <agent>',
      'agent id, folder, module file, URL or a2a+URL (default: nearest package.yao)',
    )
    .option('-c, --connector <id>', "model connector instead of the agent's own")
    .option('-u, --user <id>', 'user id for all cases (default: "test-user")')
    .option('-t, --team <id>', 'team id for all cases (default: "test-team")')
    .option('--ctx <file>', 'JSON file with the context agents are called with')
    .option('-r, --reporter <id>', REPORTER)
    .option('--before-all <function>', 'function to call before the first case, like env_test.BeforeAll')
    .option('--after-all <function>', 'function to call after the last case, whatever happened')
    .option('--runs <n>', 'runs of every case, for stability (default: 1)')
    .option('--run <regex>', 'only cases whose id matches (RE2); also -run')
    .option('--tag <tag>', 'only cases with this tag; repeatable: any of them', collect)
    .option(
      '--timeout <duration>',
      'limit for one run of a case, like 30s or 1m30s (default: 5m; 30s for a script test or a skill test)',
    )
    .option(
      '--parallel <n>',
      'runs at the same time (default: 1; for files of script tests and for skill tests the number of cores)',
    )
    .option('--retries <n>', 'further tries for what could not be measured (default: 2)');
  tapeOptions(command)
    .option('--min-pass-rate <percent>', 'a case passes if this share of its runs does')
    .option('--fail-fast', 'stop at the first case that does not pass')
    .option('--allow-empty', ALLOW_EMPTY)
    .option('--require-tests', REQUIRE_TESTS)
    .option('-V, --var <name=value>', VAR, collect)
    .option('--var-file <file>', VAR_FILE, collect)
    .option('--preset <name>', PRESET, collect)
    .option('--failed [log]', 'only what did not pass in that log, or in the last one')
    .option('--resume <log>', 'go on with an unfinished run: its log, or "last"')
    .option('--force', 'resume although the cases or the agent have changed')
    .option('--dry-run', 'show the plan and execute nothing; -o cases.jsonl saves the selected cases')
    .option('-w, --watch', 'run again when cases or agent change')
    .option('--store <place>', STORE)
    .addOption(program.createOption('--history').hideHelp())
    .option('--no-history', NO_HISTORY)
    .option('--coverage [formats]', 'coverage of script tests: text (default), html, lcov; comma-separated')
    .option('--json', 'JSON report on stdout')
    .option('-v, --verbose', 'show inputs, outputs and logs of every case')
    .allowExcessArguments(true)
    .action((flags: TestFlags, command: Command) => {
      const [word] = command.args;
      if (word === undefined) return test(flags);
      throw new ConfigError(`unexpected "${word}"`, {
        hint: `inputs are named with -i: assay test -i ${JSON.stringify(word)}`,
      });
    });
}

function defineRun(program: Command, { run, suite }: Handlers): void {
  const withOptions = (command: Command): Command =>
    tapeOptions(
      command
        .option('-V, --var <name=value>', VAR, collect)
        .option('--var-file <file>', VAR_FILE, collect)
        .option('--preset <name>', PRESET, collect)
        .addOption(program.createOption('--child-run-input <file>').hideHelp())
        .option('--matrix <name=a,b>', 'run all combinations of these values; repeatable', collect)
        .option('--pairwise', 'of a matrix, few combinations that have every pair of values')
        .option('--max-attempts <n>', 'refuse to run more (default for a matrix: 1000)')
        .option('-y, --yes', 'run them all the same')
        .option('-n, --name <agent>', "agent instead of the tests' own")
        .option('-c, --connector <id>', "model connector instead of the agent's own")
        .option('-u, --user <id>', 'user id for all cases (default: "test-user")')
        .option('-t, --team <id>', 'team id for all cases (default: "test-team")')
        .option('--ctx <file>', 'JSON file with the context agents are called with')
        .option('--runs <n>', "runs of every case instead of the tests' own")
        .option('--run <regex>', 'only cases whose id matches (RE2); also -run')
        .option(
          '--tag <tag>',
          'only cases with this tag, their own or that of their test; repeatable',
          collect,
        )
        .option('--timeout <duration>', "limit for one run of a case instead of the tests' own, like 30s")
        .option('--parallel <n>', 'runs at the same time')
        .option('--retries <n>', 'further tries for what could not be measured (default: 2)'),
    )
      .option('--min-pass-rate <percent>', 'a case passes if this share of its runs does')
      .option('--fail-fast', 'stop at the first case that does not pass')
      .addOption(program.createOption('--no-fail-fast').hideHelp())
      .option('--allow-empty', ALLOW_EMPTY)
      .option('--dry-run', 'show the plan and execute nothing')
      .option('-w, --watch', 'run again when cases, definitions or agents change')
      .option('--store <place>', STORE)
      .addOption(program.createOption('--history').hideHelp())
      .option('--no-history', NO_HISTORY)
      .option('-o, --output <path>', OUTPUT, collect)
      .option('-r, --reporter <id>', REPORTER)
      .option('--json', 'JSON report on stdout')
      .option('-v, --verbose', 'show inputs, outputs and logs of every case');
  withOptions(
    program
      .command('run')
      .description('run tests by their definitions')
      .showHelpAfterError('(assay run --help lists its options)')
      .argument('<tests...>', 'ids, patterns of ids, tag:<tag>; assay list shows them'),
  )
    .addHelpText('after', RUN_EXAMPLES)
    .action(run);
  withOptions(
    program
      .command('suite')
      .description('run the tests of a suite')
      .showHelpAfterError('(assay suite --help lists its options)')
      .argument('<suite>', 'its id; assay list --suites shows them'),
  ).action(suite);
}

function defineSkills(program: Command, { skills }: Handlers): void {
  program
    .command('skills')
    .description('list the skills of an application, or run their tests')
    .showHelpAfterError('(assay skills --help lists its options)')
    .argument(
      '[skills...]',
      '"all", or names of skills, or test files; "new <skill>" writes a test to start from',
    )
    .option('--runs <n>', 'runs of every test, for stability (default: 1)')
    .option('--run <regex>', 'only skills whose name matches (RE2); also -run')
    .option('--timeout <duration>', 'limit for one test file, like 30s or 1m30s (default: 30s)')
    .option('--parallel <n>', 'test files at the same time (default: the number of cores)')
    .option('--min-pass-rate <percent>', 'a test passes if this share of its runs does')
    .option('--fail-fast', 'stop at the first test that does not pass')
    .option('--allow-empty', ALLOW_EMPTY)
    .option('--require-tests', REQUIRE_TESTS)
    .option('--failed [log]', 'only what did not pass in that log, or in the last one')
    .option('--dry-run', 'show the plan and execute nothing')
    .option('-w, --watch', 'run again when a test or its skill changes')
    .option('--store <place>', STORE)
    .addOption(program.createOption('--history').hideHelp())
    .option('--no-history', NO_HISTORY)
    .option('-o, --output <path>', OUTPUT, collect)
    .option('-r, --reporter <id>', REPORTER)
    .option('--json', 'JSON report, or the list as JSON, on stdout')
    .option('-v, --verbose', 'show the output of every test')
    .addHelpText('after', SKILL_EXAMPLES)
    .action(skills);
}

function defineList(program: Command, { list }: Handlers): void {
  program
    .command('list')
    .description('list types, tests and suites')
    .showHelpAfterError('(assay list --help lists its options)')
    .argument('[id]', 'only the definition with this id')
    .option('--types', 'only types')
    .option('--tests', 'only tests')
    .option('--suites', 'only suites')
    .option('--tag <tag>', 'only tests with this tag')
    .option('--show-variables', 'their variables: type, allowed values, value, and where it comes from')
    .option('--json', 'JSON on stdout')
    .action((id: string | undefined, flags: ListOptions) => {
      const { types, tests, suites, ...others } = flags;
      return list(id, {
        ...others,
        ...(types === true && { onlyTypes: true }),
        ...(tests === true && { onlyTests: true }),
        ...(suites === true && { onlySuites: true }),
      });
    });
}

type ListOptions = Omit<ListFlags, 'tests'> & { types?: boolean; tests?: boolean; suites?: boolean };

function defineValidate(program: Command, { validate }: Handlers): void {
  program
    .command('validate')
    .description('check all types, tests and suites')
    .showHelpAfterError('(assay validate --help lists its options)')
    .option('--json', 'JSON on stdout')
    .action(validate);
}

const STORE = 'the history: a file, or postgres://… (default: .assay/history.db)';
const NO_HISTORY = 'leave the run out of the history';

function defineHistory(program: Command, handlers: Handlers): void {
  program
    .command('import')
    .description('bring run logs into the history')
    .argument('<logs...>', '.jsonl files of runs')
    .option('--store <place>', STORE)
    .option('--json', 'JSON on stdout')
    .action(handlers.importLogs);
  program
    .command('history')
    .description('list the runs in the history, newest first')
    .argument('[test]', 'only runs with cases of this test')
    .option('--agent <id>', 'only runs of this agent')
    .option('--limit <n>', 'how many (default: 20)')
    .option('--store <place>', STORE)
    .option('--json', 'JSON on stdout')
    .action(handlers.history);
  program
    .command('show')
    .description('show a run of the history with its cases')
    .argument('<run>', 'its id, the beginning of it, or "latest"')
    .option('--store <place>', STORE)
    .option('--json', 'JSON on stdout')
    .action(handlers.show);
  program
    .command('compare')
    .description('compare two runs; exit 1 if a case regressed')
    .argument('[runs...]', 'two ids of the history, or two run logs: the earlier one first')
    .option('--latest', 'the last run, and the one before it that tested the same')
    .option('-o, --output <path>', 'also write it to a .md or .json file')
    .option('--store <place>', STORE)
    .option('--json', 'JSON on stdout')
    .action(handlers.compare);
  program
    .command('prune')
    .description('forget old runs of the history')
    .option('--keep <n>', 'keep the newest runs')
    .option('--older-than <duration>', 'forget only what is older, like 720h')
    .option('--store <place>', STORE)
    .option('--json', 'JSON on stdout')
    .action(handlers.prune);
}

function defineReport(program: Command, { report }: Handlers): void {
  program
    .command('report')
    .description('make a report from a run log')
    .showHelpAfterError('(assay report --help lists its options)')
    .argument('<log>', 'the .jsonl file of a run')
    .option('-o, --output <path>', OUTPUT, collect)
    .option('-r, --reporter <id>', REPORTER)
    .option('--json', 'JSON report on stdout')
    .action(report);
}

function defineView(program: Command, { view }: Handlers): void {
  program
    .command('view')
    .description('show runs, tests and suites in a browser, and run them from there')
    .showHelpAfterError('(assay view --help lists its options)')
    .option('--port <n>', 'port on this machine; 0 for any (default: 4477, or the next free one)')
    .option('--open', 'open it in the browser')
    .option('--store <place>', STORE)
    .option('--json', 'print the address as JSON')
    .addHelpText('after', VIEW_EXAMPLES)
    .action(view);
}

function defineCompletion(program: Command, { completion, complete }: Handlers): void {
  program
    .command('completion')
    .description('print a script that completes commands, names and values in a shell')
    .showHelpAfterError('(assay completion --help says more)')
    .addArgument(program.createArgument('<shell>', 'bash, zsh or fish').choices(SHELLS))
    .action(completion);
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .option('--line <text>')
    .option('--breaks <characters>')
    .action((words: string[], flags: CompleteFlags) => complete(words, flags, program));
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

const REPORTER =
  'report.html, report.json, report.markdown, report.summary, or an agent that writes the report';

const OUTPUT = 'report by extension (.jsonl .json .md .html .csv .xml), "-" for stdout; repeatable';
const VAR = 'value of a variable for this run; repeatable';
const VAR_FILE = 'values of variables from a .yml or .json file; repeatable';
const PRESET = 'values of variables by the name that assay.config gives them; repeatable';

const RUN_EXAMPLES = `
Examples:
  assay run greeting --var Language=en             a test, with another value of a variable
  assay run 'greet*' tag:smoke --runs 5            by pattern and by tag
  assay run greeting --matrix AIConfiguration=a,b  the same on two models
  assay list greeting --show-variables             which variables it has
  assay test --failed                              again what did not pass
  assay test --resume last                         go on with a run that was stopped
`;

const VIEW_EXAMPLES = `
Examples:
  assay view --open                  look at the runs of this application
  assay view --store ci.db           look at those of another history

Only this machine can reach it, and only who has the printed address can start runs. Ctrl-C stops it.
`;

const ALLOW_EMPTY = 'a skill test without checks passes';
const REQUIRE_TESTS = 'a skill without a test is a failure';

const SKILL_EXAMPLES = `
Examples:
  assay skills                       choose skills to test; without a terminal, list them
  assay skills all                   run the tests of all skills
  assay skills equipment pricing     run the tests of some
  assay skills new pricing           write tests/pricing.tests.mjs to start from
`;

const EXAMPLES = `
Examples:
  assay test -i tests/inputs.jsonl                 run the cases of a file
  assay test -i "hello" -n ./agent.ts              ask an agent once
  assay test -i tests/inputs.jsonl --runs 5        how stable is it?
  assay test -i scripts.expense.setup              the Test… functions of a script
  assay skills all                                 the tests of all skills
  assay run greeting --var Language=en             a test by its definition
  assay test --failed                              again what did not pass
  assay report output.jsonl -o report.md           a report of an earlier run
  assay view --open                                all runs in a browser

Exit codes: 0 passed, 1 failed, 2 wrong set-up, 3 could not measure, 130 interrupted
`;
