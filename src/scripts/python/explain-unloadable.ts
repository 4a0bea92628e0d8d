import type { Problem } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import type { PythonFunction, UnloadableError } from './python-process.ts';

/** Why a Python file cannot be used, where, and what to do. */
export function explainUnloadable({ reason }: UnloadableError, called: PythonFunction): Problem {
  const { interpreter } = called;
  if (reason.type === 'old')
    return {
      message: `${interpreter} is Python ${reason.version}; Assay needs Python 3.9 or later`,
      hint: 'name another one with --python, or make a virtual environment: python3 -m venv .venv',
    };
  const line = typeof reason.line === 'number' ? `:${String(reason.line)}` : '';
  const at = `${displayPath(reason.file, process.cwd())}${line}`;
  if (reason.is_usage) return { message: reason.message, at, hint: usage(called) };
  const problem: Problem = { message: `cannot be imported: ${reason.message}`, at };
  if (typeof reason.missing === 'string')
    problem.hint = `install it: ${interpreter} -m pip install ${reason.missing}; or choose another Python with --python`;
  return problem;
}

function usage({ file, function: name, given }: PythonFunction): string {
  const path = displayPath(file, process.cwd());
  return `write def ${name}(${given.join(', ')}): …, or name another function: ${path}:<function>`;
}
