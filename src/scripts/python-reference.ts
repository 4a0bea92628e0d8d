// Names of Python functions: `agent.py:answer`, or `agent.py` with the default function.

/** The function of an agent that names only its file. */
export const DEFAULT_FUNCTION = 'answer';

const REFERENCE = /^(.*\.py)(?::([\p{L}_][\p{L}\p{N}_]*))?$/su;

export type PythonReference = {
  path: string;
  /** Undefined if only the file is named. */
  name: string | undefined;
};

/** Undefined if the text does not name a Python file. */
export function readPythonReference(text: string): PythonReference | undefined {
  const [, path, name] = REFERENCE.exec(text) ?? [];
  return path === undefined ? undefined : { path, name };
}
