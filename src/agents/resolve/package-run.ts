// Reads `run` of a package.yao, which says how to start the agent.

import { didYouMean } from '../../text/nearest.ts';
import { resolve } from 'node:path';
import { messageOf } from '../../errors.ts';
import type { AgentRun } from '../../model/agent.ts';
import { HTTP_FORMATS } from '../../model/agent.ts';
import { DEFAULT_FUNCTION, readPythonReference } from '../../scripts/python-reference.ts';
import { isFile } from '../../platform/file-stats.ts';
import { findProgram } from '../../platform/find-program.ts';
import { compileJsonPath } from '../../json/json-path.ts';
import type { YaoFile } from '../../json/yao-file.ts';
import { addressProblem, hasPlaceholder, isUnfilled } from '../../json/yao-file.ts';
import { isObject } from '../../json/is-object.ts';
import { headers, withHeaderTexts } from '../../schema/headers.ts';
import { list, object, optional, record, required } from '../../schema/object.ts';
import { findProblems } from '../../schema/problems.ts';
import type { Infer } from '../../schema/shape.ts';
import {
  anything,
  matching,
  oneOf,
  processText,
  stringFor,
  variableNameProblem,
  withRule,
} from '../../schema/values.ts';

const RUN_KINDS = ['a2a', 'command', 'http', 'module', 'python'] as const;
const SCRIPT = /\.[cm]?[jt]sx?$/;

type RunContext = { folder: string; env: Record<string, string | undefined> };
type Report = (key: string, message: string, hint?: string) => void;

const url = required(
  withRule(stringFor('the address of the agent'), (address) =>
    hasPlaceholder(address) ? undefined : addressProblem(address),
  ),
);

const jsonPath = optional(
  withRule(stringFor('a JSONPath such as $.answer'), (path) => {
    try {
      compileJsonPath(path);
      return undefined;
    } catch (error) {
      return `is not a JSONPath: ${messageOf(error)}`;
    }
  }),
);

const ADDRESS = { hint: 'write {"url": "http://…"}' };
const COMMAND = {
  expected: 'a list of a program and its arguments',
  hint: 'write ["python3", "agent.py"]',
};

const run = object(
  {
    a2a: optional(object({ headers: optional(headers), url }, ADDRESS)),
    command: optional(list(processText, COMMAND)),
    env: optional(
      record(processText, { expected: 'an object of names and values', nameProblem: variableNameProblem }),
    ),
    http: optional(
      object(
        {
          body: optional(anything),
          format: optional(oneOf(...HTTP_FORMATS)),
          headers: optional(headers),
          method: optional(matching('a method such as POST', /^[A-Za-z]+$/)),
          output: jsonPath,
          tool_calls: jsonPath,
          url,
          usage: jsonPath,
        },
        ADDRESS,
      ),
    ),
    module: optional(stringFor('the path of a file')),
    python: optional(stringFor('a Python file with or without a function, such as agent.py:answer')),
  },
  { hint: 'write {"module": …}, {"python": …}, {"http": …}, {"a2a": …} or {"command": …}' },
);
const packageShape = object({ run: required(run) }, { others: 'free' });

/** True for file names that Node or esbuild can load as a module. */
export function isScriptName(name: string): boolean {
  return SCRIPT.test(name);
}

/** Reads `run`. On problems, adds them to the package file and returns undefined. */
export function readRun(file: YaoFile, context: RunContext): AgentRun | undefined {
  const before = file.problems.length;
  const report: Report = (key, message, hint) => {
    file.problems.push({ message: `${key}: ${message}`, at: file.at(key.split('.')), hint });
  };
  const { run: value } = file.value;
  const kinds = isObject(value) ? RUN_KINDS.filter((kind) => value[kind] !== undefined) : [];
  if (isObject(value) && kinds.length !== 1) {
    const found = kinds.length === 0 ? 'nothing to run' : `${kinds.join(' and ')} at once`;
    const [nearest] = Object.keys(value).flatMap((key) => didYouMean(key, RUN_KINDS) ?? []);
    const isMissing = kinds.length === 0;
    report(
      'run',
      found,
      (isMissing ? nearest : undefined) ?? 'give one of module, python, http, a2a and command',
    );
    return undefined;
  }
  file.problems.push(...findProblems(packageShape, file.value, { wrong: 'expected', at: file.at }));
  if (isObject(value) && value['env'] !== undefined && kinds[0] !== 'command')
    report('run.env', 'only a command can have "env"');
  if (file.problems.length > before) return undefined;
  // Checked above.
  return toRun(value as Infer<typeof run>, context, report);
}

function toRun(
  { a2a, command = [], env, http, module, python }: Infer<typeof run>,
  context: RunContext,
  report: Report,
): AgentRun | undefined {
  if (module !== undefined) return readModule(module, context, report);
  if (python !== undefined) return readPython(python, context, report);
  if (a2a !== undefined) return { type: 'a2a', a2a: withHeaderTexts(a2a) };
  if (http !== undefined) return { type: 'http', http: withHeaderTexts(http) };
  return readCommand(command, env, context, report);
}

function readModule(module: string, { folder }: RunContext, report: Report): AgentRun | undefined {
  if (isUnfilled(module)) return undefined;
  const file = resolve(folder, module);
  if (!isFile(file)) return void report('run.module', `no such file: ${file}`);
  if (!isScriptName(file)) return void report('run.module', `${module} is neither TypeScript nor JavaScript`);
  return { type: 'module', file };
}

/** The interpreter is looked for when the files of the agent are known. */
function readPython(python: string, { folder }: RunContext, report: Report): AgentRun | undefined {
  if (isUnfilled(python)) return undefined;
  const reference = readPythonReference(python);
  if (reference === undefined)
    return void report(
      'run.python',
      `${python} is not a Python file`,
      'write "agent.py" or "agent.py:answer"',
    );
  const file = resolve(folder, reference.path);
  if (!isFile(file)) return void report('run.python', `no such file: ${file}`);
  return { type: 'python', file, function: reference.name ?? DEFAULT_FUNCTION, interpreter: '' };
}

function readCommand(
  [name = '', ...args]: readonly string[],
  env: Record<string, string> | undefined,
  { folder, env: environment }: RunContext,
  report: Report,
): AgentRun | undefined {
  const program = isUnfilled(name)
    ? name
    : findProgram(name, { folder, path: { ...environment, ...env }['PATH'] });
  if (typeof program === 'object') return void report('run.command', program.problem, program.hint);
  const started: AgentRun = { type: 'command', command: [program, ...args], cwd: folder };
  return env === undefined ? started : { ...started, env };
}
