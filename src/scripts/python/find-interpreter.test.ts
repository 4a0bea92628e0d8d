import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ConfigError } from '../../errors.ts';
import { findInterpreter } from './find-interpreter.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-interpreter-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function program(path: string, mode = 0o755): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

function find(env: Record<string, string>, file = 'app/src/agent.py'): unknown {
  try {
    return findInterpreter(join(root, file), { root: join(root, 'app'), cwd: root, env });
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

test('each place for an interpreter comes before the next one', () => {
  const PATH = `${join(root, 'first')}:${join(root, 'second')}`;
  const INSTALL = 'install Python 3.9 or later, or name its program with --python';
  expect(find({ PATH })).toEqual([
    {
      message: 'no Python was found: neither a virtual environment, nor python3 or python in PATH',
      hint: INSTALL,
    },
  ]);
  // Above the root is another project.
  program('.venv/bin/python');
  const python = program('first/python');
  expect(find({ PATH })).toBe(python);
  const python3 = program('second/python3');
  expect(find({ PATH })).toBe(python3);
  program('app/.venv/bin/python', 0o644);
  expect(find({ PATH })).toBe(python3);
  const above = program('app/.venv/bin/python');
  expect(find({ PATH })).toBe(above);
  const beside = program('app/src/.venv/bin/python');
  expect(find({ PATH })).toBe(beside);
  const active = program('active/bin/python');
  const VIRTUAL_ENV = join(root, 'active');
  expect(find({ PATH, VIRTUAL_ENV })).toBe(active);
  expect(find({ PATH, VIRTUAL_ENV: join(root, 'gone') })).toBe(beside);
  expect(find({ PATH, VIRTUAL_ENV, ASSAY_PYTHON: 'python' })).toBe(python);
  expect(find({ PATH, VIRTUAL_ENV, ASSAY_PYTHON: './second/python3' })).toBe(python3);

  const at = '--python';
  expect(find({ PATH, ASSAY_PYTHON: 'python9' })).toEqual([
    { message: 'no program "python9" in PATH', at, hint: INSTALL },
  ]);
  expect(find({ PATH, ASSAY_PYTHON: 'none/python' })).toEqual([
    { message: `${join(root, 'none/python')} does not exist`, at, hint: INSTALL },
  ]);
  program('plain/python', 0o644);
  expect(find({ PATH, ASSAY_PYTHON: 'plain/python' })).toEqual([
    { message: `${join(root, 'plain/python')} is not executable`, at, hint: INSTALL },
  ]);
});

test('a file outside of the root has only the virtual environment beside it', () => {
  const beside = program('other/deep/.venv/bin/python');
  program('other/.venv/bin/python');
  expect(find({ PATH: '' }, 'other/deep/agent.py')).toBe(beside);
  expect(find({ PATH: '' }, 'other/deep/er/agent.py')).toMatchObject([{ hint: /install/ }]);
});
