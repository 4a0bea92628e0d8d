// What must stay true of the built files for a run to start quickly.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:^|;)(?:import|export)\b[^;()"]*?from\s*"([^"]+)"/gm)].map(
    (match) => match[1] ?? '',
  );
}

test('the worker is started before anything else of the program is loaded', () => {
  expect(importsOf('dist/cli.js')).toEqual([]);
  expect(importsOf('dist/early-worker.js')).toEqual(['./start.js']);
  expect(importsOf('dist/start.js').filter((name) => !name.startsWith('node:'))).toEqual([]);
});

test('a worker loads one file of its own and no library', () => {
  const own = importsOf('dist/worker.js').filter((name) => !name.startsWith('node:'));
  expect(own).toEqual(['./worker-core.js']);
  expect(
    importsOf('dist/worker-core.js').filter((name) => !/^node:|^\.\/worker-rolldown-runtime/.test(name)),
  ).toEqual([]);
});

test('a worker does not load what it knows of frameworks', () => {
  expect(readFileSync('dist/worker-frameworks.js', 'utf8')).toContain('@openai/agents');
  expect(readFileSync('dist/worker-core.js', 'utf8')).not.toContain('@openai/agents');
  expect(readFileSync('dist/run.js', 'utf8')).not.toContain('@openai/agents');
});

test('neither a run nor a worker loads what starts Python', () => {
  expect(readFileSync('dist/worker-python.js', 'utf8')).toContain('python-runner.py');
  for (const file of ['run', 'worker-core'])
    expect(readFileSync(`dist/${file}.js`, 'utf8')).not.toContain('python-runner.py');
  expect(readFileSync('dist/python-runner.py', 'utf8')).toBe(
    readFileSync('src/scripts/python/python-runner.py', 'utf8'),
  );
});

test('a run loads no library before it needs one', () => {
  const outside = importsOf('dist/run.js').filter((name) => !/^(node:|\.\/)/.test(name));
  expect(outside).toEqual([]);
});

test('a run does not load what completes command lines', () => {
  expect(readFileSync('dist/completion.js', 'utf8')).toContain('complete -F');
  expect(readFileSync('dist/run.js', 'utf8')).not.toContain('complete -F');
  expect(importsOf('dist/run.js')).not.toContain('./completion.js');
});

test('a run does not load the viewer', () => {
  expect(readFileSync('dist/view.js', 'utf8')).toContain('frame-ancestors');
  expect(readFileSync('dist/run.js', 'utf8')).not.toContain('frame-ancestors');
  expect(importsOf('dist/run.js')).not.toContain('./view.js');
});
