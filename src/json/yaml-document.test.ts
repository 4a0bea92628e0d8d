import { expect, test } from 'vitest';
import { parseYamlDocument } from './yaml-document.ts';

async function problemsOf(text: string): Promise<unknown> {
  const error: unknown = await parseYamlDocument(text, 'prompts.yml').catch((thrown: unknown) => thrown);
  return error instanceof Error && 'problems' in error ? error.problems : error;
}

test('aliases without an anchor are told with their lines', async () => {
  const text = '- role: &role system\n  content: *nope\n- {role: *role, content: x}\n- *later\n- &later {}\n';
  const why = 'invalid YAML: Unresolved alias (the anchor must be set before the alias): ';
  expect(await problemsOf(text)).toEqual([
    { message: `${why}nope`, at: 'prompts.yml:2' },
    { message: `${why}later`, at: 'prompts.yml:4' },
  ]);
});

test('syntax errors are told with their lines, and aliases that blow up the document without one', async () => {
  expect(await problemsOf('a: 1\nb: [\n')).toMatchObject([{ at: expect.stringMatching(/^prompts.yml:\d/) }]);
  const levels = Array.from(
    { length: 9 },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`,
  );
  expect(await problemsOf(['a0: &a0 [x]', ...levels].join('\n'))).toEqual([
    {
      message: 'invalid YAML: Excessive alias count indicates a resource exhaustion attack',
      at: 'prompts.yml',
    },
  ]);
});

test('gives the value, and the line of each part of it', async () => {
  const { value, lineOf } = await parseYamlDocument('a: &x 1\nb:\n  - c: *x\n', 'prompts.yml');
  expect({ value, lines: [lineOf(['a']), lineOf(['b', '0', 'c'])] }).toEqual({
    value: { a: 1, b: [{ c: 1 }] },
    lines: [1, 3],
  });
});
