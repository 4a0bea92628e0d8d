// Functions of Python files that judge answers: checks them before a run, and calls them in the judging worker.

import { AttemptError, ConfigError } from '../../errors.ts';
import type { ContextData } from '../../model/context.ts';
import type { PythonReference } from '../python-reference.ts';
import { explainUnloadable } from './explain-unloadable.ts';
import { findInterpreter } from './find-interpreter.ts';
import { checkPythonFunction, locatePythonFile } from './locate-python.ts';
import { pythonContext } from './python-context.ts';
import { PythonFile } from './python-file.ts';
import type { PythonFunction } from './python-process.ts';
import { UnloadableError } from './python-process.ts';
import { pythonFiles } from './python-source.ts';

const GIVEN = ['output', 'input', 'expected', 'ctx'];

type Place = {
  root: string;
  /** The folder of the cases, which comes before the root. */
  folder?: string;
  env: Record<string, string | undefined>;
};

/** Files that this process has opened. */
const opened = new Map<string, PythonFile>();

/** The files of a function. Throws ConfigError if there is no such file, function or interpreter. */
export function checkPython(reference: PythonReference, place: Place & { cwd: string }): string[] {
  const { cwd } = place;
  const { file, function: name } = locate(reference, cwd, place);
  checkPythonFunction(file, name, { cwd, write: `write def ${name}(output): …` });
  return pythonFiles(file);
}

/** Calls a function with (output, input, expected, ctx), or as many of them as it takes. For worker processes only. */
export async function callPython(
  reference: PythonReference,
  args: readonly unknown[],
  { context, env, signal, ...place }: Place & { context: ContextData; signal: AbortSignal },
): Promise<unknown> {
  const called = locate(reference, process.cwd(), { ...place, env });
  const file = opened.get(called.file) ?? new PythonFile(called);
  opened.set(called.file, file);
  try {
    return await file.call(called.function, [...args, pythonContext(context)], { env, signal });
  } catch (error) {
    throw judgeFailure(error, called);
  }
}

function locate(
  reference: PythonReference,
  cwd: string,
  { root, folder = root, env }: Place,
): PythonFunction {
  const file = locatePythonFile(reference, [folder, root], cwd);
  const interpreter = findInterpreter(file, { root, cwd, env });
  return { file, function: reference.name ?? '', interpreter, given: GIVEN, is_judge: true };
}

/** A judgement that cannot be made says nothing about the agent. */
function judgeFailure(error: unknown, called: PythonFunction): unknown {
  if (error instanceof UnloadableError) return ConfigError.of([explainUnloadable(error, called)]);
  if (error instanceof AttemptError && error.code === 'agent')
    return new AttemptError('judge', error.message);
  return error;
}
