// Files of script tests in, their functions out: compiled, listed, nothing run.

import { cpus } from 'node:os';
import { dirname, relative } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems } from '../../errors.ts';
import type { ScriptSubject } from '../../model/script.ts';
import { cacheDirectory } from '../../compile/bundle-cache.ts';
import type { ScriptBundle } from '../../compile/script-bundle.ts';
import { bundleScript } from '../../compile/script-bundle.ts';
import type { PreparedInput, PrepareInput, PrepareOptions } from '../kind.ts';
import type { ScriptSource } from './script-files.ts';

/** The one case of a file that cannot be compiled. */
const BUILD_FAILED = '[build failed]';

type Input = PrepareInput<ScriptSource>;
type Compiled = { input: Input; bundle?: ScriptBundle; problems: Problem[] };

/**
 * Compiles files of tests. A file that cannot be compiled is a problem of the run only if nothing else can be tested; otherwise
 * it is a test that fails.
 */
export async function prepareScripts(
  inputs: readonly Input[],
  options: PrepareOptions,
): Promise<PreparedInput[]> {
  if (inputs.length === 0) return [];
  const { isWholeRun, problems } = options;
  const compiled = await compileAll(inputs, options);
  if (isWholeRun && compiled.every(({ bundle }) => bundle === undefined))
    problems.push(...compiled.flatMap((script) => script.problems));
  if (compiled.every(({ bundle }) => bundle?.tests.length === 0)) problems.push(noTests(compiled));
  return compiled.map((script) => prepared(script, options));
}

/** Several at a time; those in the cache take no time worth sharing. */
async function compileAll(
  inputs: readonly Input[],
  { root, cwd }: { root: string; cwd: string },
): Promise<Compiled[]> {
  const cacheDir = cacheDirectory(root);
  const compiled: Compiled[] = [];
  const queue = inputs.entries();
  const lane = async (): Promise<void> => {
    for (const [index, input] of queue) {
      const problems: Problem[] = [];
      const { file, module } = input.source;
      const bundle = await collectProblems(problems, () => bundleScript(file, { module, cacheDir, cwd }));
      compiled[index] = { input, problems, bundle };
    }
  };
  await Promise.all(Array.from({ length: Math.max(4, cpus().length * 2) }, lane));
  return compiled;
}

function prepared(
  { input: { source, target, index }, bundle, problems }: Compiled,
  { root, cwd, select }: PrepareOptions,
): PreparedInput {
  const { name, file, path, assistant: id, input } = source;
  const sha256 = bundle?.sha256 ?? '';
  const subject: ScriptSubject = {
    kind: 'script',
    id,
    name,
    file,
    path,
    root,
    bundle: bundle?.bundle ?? '',
    isolation: bundle?.isolation ?? 'context',
    mocks: bundle?.mocks ?? {},
    ...(bundle?.code_cache !== undefined && { code_cache: bundle.code_cache }),
    ...(bundle === undefined && { problem: told(problems) }),
  };
  const tests = bundle?.tests ?? [{ name: BUILD_FAILED, line: 1 }];
  const loaded = tests.map((test) => ({
    case: { id: test.name, input: [] },
    test_id: target.test_id,
    input: index,
    line: test.line,
  }));
  const isEmpty = bundle?.tests.length === 0;
  return {
    subject,
    base: dirname(file),
    logged: {
      type: 'script',
      input,
      script: name,
      script_path: path,
      file: relative(cwd, file),
      sha256,
      agent_id: id,
      agent_sha256: sha256,
    },
    total: loaded.length,
    selected: loaded.filter((one) => select(one.case, target)).length,
    files: bundle?.inputs ?? [file, ...(source.module === undefined ? [] : [source.module])],
    name,
    folder: dirname(file),
    note: isEmpty
      ? `${path} has no test functions; they are at the top level, and their names start with Test`
      : undefined,
    cases: () => [loaded],
  };
}

/** Place, message and code frame of everything that is wrong. */
function told(problems: readonly Problem[]): string {
  const lines = problems.map(({ at, message, hint }) => {
    const first = at === undefined ? message : `${at}: ${message}`;
    return hint === undefined ? first : `${first}\n${hint}`;
  });
  return lines.join('\n');
}

function noTests(compiled: readonly Compiled[]): Problem {
  const places = compiled.slice(0, 3).map(({ input }) => input.source.path);
  return {
    message: `no test functions in ${places.join(', ')}${compiled.length > 3 ? ' …' : ''}`,
    hint: 'a test is a function at the top level whose name starts with Test: function TestSetup(t, ctx) { … }',
  };
}
