import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addDotEnv, parseDotEnv, readDotEnv } from './dotenv.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'assay-application-')));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('.env', () => {
  test('is read with quotes, comments and several lines', () => {
    const text = [
      '# a comment',
      'PLAIN=value # not this',
      '  export EXPORTED = spaced out  ',
      'HASH=a#b',
      'EMPTY=',
      'COMMENT= # nothing',
      `SINGLE='raw \\n # kept'  # not this`,
      'DOUBLE="a\\tb \\"c\\" \\\\ # kept"',
      'LINES="first',
      'INSIDE=second',
      'third"',
      'URL=https://x.y/?a=b&c="d"',
      'not a line',
      'LAST=`it\'s "fine"`',
      'UNCLOSED="oops',
    ].join('\r\n');
    expect(parseDotEnv(text)).toEqual({
      PLAIN: 'value',
      EXPORTED: 'spaced out',
      HASH: 'a#b',
      EMPTY: '',
      COMMENT: '',
      SINGLE: 'raw \\n # kept',
      DOUBLE: 'a\tb "c" \\ # kept',
      LINES: 'first\nINSIDE=second\nthird',
      URL: 'https://x.y/?a=b&c="d"',
      UNCLOSED: '"oops',
      LAST: 'it\'s "fine"',
    });
  });

  test('is optional', () => {
    expect(readDotEnv(folder)).toEqual({});
    writeFileSync(path.join(folder, '.env'), 'A=1\n');
    expect(readDotEnv(folder)).toEqual({ A: '1' });
  });

  test('never overrides the environment', () => {
    const file = { A: 'file', B: 'file', C: 'file', D: 'file' };
    expect(addDotEnv({ A: 'env', B: undefined, C: '', E: 'env' }, file)).toEqual({
      env: { A: 'env', B: 'file', C: '', D: 'file', E: 'env' },
      dotenv: { B: 'file', D: 'file' },
    });
  });
});
