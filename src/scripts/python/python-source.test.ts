import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mayDefine, pythonFiles, topLevelFunctions } from './python-source.ts';

test('lists the functions at the top level', () => {
  const source =
    'def one(): pass\nasync  def two(a): pass\nclass A:\n    def method(self): pass\n# def three\ndef ünï(x): pass\n';
  expect(topLevelFunctions(source)).toEqual(['one', 'two', 'ünï']);
});

test.each([
  ['def answer(m): pass', true],
  ['if True:\n    def answer(m): pass\nelse:\n    answer = None', true],
  ['answer = build()', true],
  ['answer: Callable = build()', true],
  ['class answer: pass', true],
  ['from agent import answer', true],
  ['from agent import (\n  answer,\n)', true],
  ['from agent import *', true],
  ['globals()["answer"] = 1', true],
  ['def other(m): return answer', false],
  ['# answer\nx = 1', false],
  ['import answers', false],
])('a file may define a function: %j', (source, expected) => {
  expect(mayDefine(source, 'answer')).toBe(expected);
});

test('finds the files that a file imports from its folder, and what they import', () => {
  const root = mkdtempSync(join(tmpdir(), 'assay-python-source-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = {
    'agent.py':
      'import os, tools as t, json\nfrom pkg import (\n  part,  # a module\n  NAME,\n)\nfrom pkg.deep.leaf import x\n',
    'tools.py': 'def f():\n    import late\n',
    'late.py': 'import agent\n',
    'pkg/__init__.py': 'from . import sibling\nfrom .deep import *\n',
    'pkg/part.py': '',
    'pkg/sibling.py': 'from .. import above\n',
    'above.py': '',
    'pkg/deep/__init__.py': '',
    'pkg/deep/leaf.py': '',
    'pkg/unused.py': '',
    'json_.py': '',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  expect(pythonFiles(join(root, 'agent.py')).map((file) => relative(root, file))).toEqual([
    'above.py',
    'agent.py',
    'late.py',
    'pkg/__init__.py',
    'pkg/deep/__init__.py',
    'pkg/deep/leaf.py',
    'pkg/part.py',
    'pkg/sibling.py',
    'tools.py',
  ]);
});
