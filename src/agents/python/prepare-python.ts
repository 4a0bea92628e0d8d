// In the coordinator: finds the interpreter and the files of a Python agent, and checks what can be checked without running it.

import { basename } from 'node:path';
import type { AgentRun } from '../../model/agent.ts';
import { findInterpreter } from '../../scripts/python/find-interpreter.ts';
import { checkPythonFunction } from '../../scripts/python/locate-python.ts';
import { pythonFiles } from '../../scripts/python/python-source.ts';

type PythonRun = Extract<AgentRun, { type: 'python' }>;
type Place = { root: string; cwd: string; env: Record<string, string | undefined> };

/** Throws ConfigError if there is no interpreter, or if the file cannot define the function. */
export function preparePython(file: string, name: string, place: Place): { run: PythonRun; files: string[] } {
  const { cwd } = place;
  const program = `{"run": {"command": ["python3", ${JSON.stringify(basename(file))}]}}`;
  const write = `write def ${name}(messages, ctx): …, or for a program that reads stdin a package.yao with ${program}`;
  checkPythonFunction(file, name, { cwd, write });
  const interpreter = findInterpreter(file, place);
  return { run: { type: 'python', file, function: name, interpreter }, files: pythonFiles(file) };
}
