// Files of script tests in, their functions out: compiled, listed, nothing run.

import { cpus } from 'node:os';
import { relative } from 'node:path';
import type { Problem } from '../../errors.ts';
import { collectProblems } from '../../errors.ts';
import type { AgentDefinition } from '../../model/agent.ts';
import type { TestCase } from '../../model/case.ts';
import type { LoggedInput } from '../../model/event.ts';
import { cacheDirectory } from '../../compile/bundle-cache.ts';
import type { ScriptBundle } from '../../compile/script-bundle.ts';
import { bundleScript } from '../../compile/script-bundle.ts';
import type { InputSource } from '../../run/inputs/inputs.ts';
import type { ScriptSource } from './script-files.ts';

/** A file of tests that is ready to run. */
export type PreparedScript = {
  definition: AgentDefinition;
  cases: ScriptCase[];
  logged: LoggedInput;
  /** The user's files that it is made of. */
  files: string[];
  /** What a person should know about it. */
  note?: string;
};

/** A test function: a case without input. */
type ScriptCase = TestCase & { line: number };

/** The one case of a file that cannot be compiled. */
const BUILD_FAILED = '[build failed]';

type Compiled = { source: ScriptSource; bundle?: ScriptBundle; problems: Problem[] };

/**
 * Compiles all files of tests among the sources, by file. What cannot be compiled is a problem of the run only if nothing
 * else can be tested: else it is a test that fails.
 */
export async function prepareScripts(
  sources: readonly InputSource[],
  { root, cwd, problems }: { root: string; cwd: string; problems: Problem[] },
): Promise<Map<string, PreparedScript>> {
  const scripts = sources.filter((source) => source.type === 'script');
  if (scripts.length === 0) return new Map();
  const compiled = await compileAll(scripts, { root, cwd });
  const isHopeless =
    compiled.length === sources.length && compiled.every(({ bundle }) => bundle === undefined);
  if (isHopeless) problems.push(...compiled.flatMap((script) => script.problems));
  if (compiled.every(({ bundle }) => bundle?.tests.length === 0)) problems.push(noTests(compiled));
  return new Map(compiled.map((script) => [script.source.file, prepared(script, { root, cwd })]));
}

/** Several at a time; those in the cache take no time worth sharing. */
async function compileAll(
  scripts: readonly ScriptSource[],
  { root, cwd }: { root: string; cwd: string },
): Promise<Compiled[]> {
  const cacheDir = cacheDirectory(root);
  const compiled: Compiled[] = [];
  const queue = scripts.entries();
  const lane = async (): Promise<void> => {
    for (const [index, source] of queue) {
      const problems: Problem[] = [];
      const { file, module } = source;
      const bundle = await collectProblems(problems, () => bundleScript(file, { module, cacheDir, cwd }));
      compiled[index] = { source, problems, ...(bundle !== undefined && { bundle }) };
    }
  };
  await Promise.all(Array.from({ length: Math.max(4, cpus().length * 2) }, lane));
  return compiled;
}

function prepared(
  { source, bundle, problems }: Compiled,
  { root, cwd }: { root: string; cwd: string },
): PreparedScript {
  const { name, file, path, assistant, input } = source;
  const sha256 = bundle?.sha256 ?? '';
  const definition: AgentDefinition = {
    id: assistant,
    run: {
      type: 'script',
      name,
      file,
      path,
      root,
      bundle: bundle?.bundle ?? '',
      isolation: bundle?.isolation ?? 'context',
      mocks: bundle?.mocks ?? {},
      ...(bundle === undefined && { problem: told(problems) }),
    },
  };
  const tests = bundle?.tests ?? [{ name: BUILD_FAILED, line: 1 }];
  return {
    definition,
    cases: tests.map((test) => ({ id: test.name, input: [], line: test.line })),
    logged: {
      type: 'script',
      input,
      script: name,
      script_path: path,
      file: relative(cwd, file),
      sha256,
      agent_id: assistant,
      agent_sha256: sha256,
    },
    ...(bundle?.tests.length === 0 && {
      note: `${path} has no test functions; they are at the top level, and their names start with Test`,
    }),
    files: bundle?.inputs ?? [file, ...(source.module === undefined ? [] : [source.module])],
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
  const places = compiled.slice(0, 3).map(({ source }) => source.path);
  return {
    message: `no test functions in ${places.join(', ')}${compiled.length > 3 ? ' …' : ''}`,
    hint: 'a test is a function at the top level whose name starts with Test: function TestSetup(t, ctx) { … }',
  };
}
