// The keys of -w, at a real terminal.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsIn, folder, write } from '../support/assay.ts';
import type { Terminal } from '../support/terminal.ts';
import { startAtTerminal } from '../support/terminal.ts';

const AGENT = `import { appendFileSync } from 'node:fs';
export default (messages) => {
  const text = messages.at(-1).content;
  appendFileSync('calls.txt', text + '\\n');
  return text.startsWith('{') ? JSON.parse(text) : text.toUpperCase();
};\n`;

const CASES = [
  { id: 'one', input: 'a', expected: 'A' },
  { id: 'two', input: 'b', expected: 'X' },
];
const WATCH = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-w'];

function place(files: Record<string, unknown> = {}): string {
  return folder({ 'package.json': {}, 'agent.mjs': AGENT, 'cases.jsonl': CASES, ...files });
}

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8');

/** Ends it with `q`; gives the exit code and whether the terminal is as it was. */
async function quit(terminal: Terminal): Promise<unknown> {
  terminal.press('q');
  const code = await terminal.finished;
  return [code, isRestored(terminal)];
}

function isRestored(terminal: Terminal): boolean {
  const [, settings = ''] = terminal.text().split(/ENDED \d+\n/);
  return ['icanon', 'echo', 'isig'].every((name) => settings.split(/\s+/).includes(name));
}

describe('keys', () => {
  test('f, a and Enter run again; h helps; q quits with the code of the last run', async () => {
    const cwd = place();
    const terminal = startAtTerminal(WATCH, { cwd });
    await terminal.sees('f failed (1)');
    expect(callsIn(cwd)).toEqual(['a', 'b']);
    terminal.press('f');
    await terminal.sees('f failed (1)', 2);
    expect(callsIn(cwd)).toEqual(['a', 'b', 'b']);
    terminal.press('\r');
    await terminal.sees('f failed (1)', 3);
    expect(callsIn(cwd)).toEqual(['a', 'b', 'b', 'b']);
    terminal.press('a');
    await terminal.sees('f failed (1)', 4);
    expect(callsIn(cwd).slice(4).toSorted()).toEqual(['a', 'b']);
    terminal.press('h');
    await terminal.sees('run the cases that did not pass');
    expect(terminal.text()).toContain('\u001B[2J\u001B[H');
    expect(await quit(terminal)).toEqual([1, true]);
  });

  test('f without a failure says so', async () => {
    const cwd = place({ 'cases.jsonl': CASES.slice(0, 1) });
    const terminal = startAtTerminal(WATCH, { cwd });
    await terminal.sees('q quit');
    terminal.press('f');
    await terminal.sees('Nothing to run again: every case passed.');
    expect(await quit(terminal)).toEqual([0, true]);
  });

  test('q while a run is on ends it cleanly, and Ctrl-C and a signal give the terminal back', async () => {
    const waiting = `import { appendFileSync } from 'node:fs';
      export default async () => { appendFileSync('calls.txt', 'x\\n'); await new Promise((done) => setTimeout(done, 1500)); return 'A'; };\n`;
    const many = Array.from({ length: 50 }, (_, index) => ({ id: String(index), input: 'a' }));
    const cwd = place({ 'agent.mjs': waiting, 'cases.jsonl': many });
    const terminal = startAtTerminal(WATCH, { cwd });
    await terminal.sees('Running Tests');
    terminal.press('q');
    expect([await terminal.finished, isRestored(terminal)]).toEqual([130, true]);
    expect(callsIn(cwd).length).toBeLessThan(5);
    expect(terminal.text()).toContain('Summary:');

    const other = startAtTerminal(WATCH, { cwd: place() });
    await other.sees('q quit');
    other.press('\u0003');
    expect([await other.finished, isRestored(other)]).toEqual([130, true]);
  });

  test('only changed and new cases run; a change of the agent runs all of its cases', async () => {
    const cwd = place({
      'other.mjs': AGENT,
      'cases.jsonl': [...CASES, { id: 'three', input: 'c', agent: './other.mjs' }],
    });
    const terminal = startAtTerminal(['test', '-i', 'cases.jsonl', '-w'], {
      cwd: folderWithDefaults(cwd),
    });
    await terminal.sees('q quit');
    expect(callsIn(cwd)).toEqual(['a', 'b', 'c']);
    const changed = [
      { id: 'one', input: 'a', agent: './agent.mjs' },
      { id: 'two', input: 'bb', agent: './agent.mjs' },
      { id: 'three', input: 'c', agent: './other.mjs' },
      { id: 'four', input: 'd', agent: './agent.mjs' },
    ];
    write(join(cwd, 'cases.jsonl'), changed);
    await terminal.sees('q quit', 2);
    expect(callsIn(cwd).slice(3).toSorted()).toEqual(['bb', 'd']);
    write(join(cwd, 'other.mjs'), `${AGENT}// changed\n`);
    await terminal.sees('q quit', 3);
    expect(callsIn(cwd).slice(5)).toEqual(['c']);
    write(join(cwd, 'cases.jsonl'), `# a comment\n${changed.map((one) => JSON.stringify(one)).join('\n')}\n`);
    await terminal.sees('No case has changed.');
    expect(callsIn(cwd)).toHaveLength(6);
    await quit(terminal);
  });
});

/** All cases name their agent. */
function folderWithDefaults(cwd: string): string {
  write(join(cwd, 'cases.jsonl'), [
    { id: 'one', input: 'a', agent: './agent.mjs' },
    { id: 'two', input: 'b', agent: './agent.mjs' },
    { id: 'three', input: 'c', agent: './other.mjs' },
  ]);
  return cwd;
}

describe('u writes answers as expected', () => {
  const formats: [string, string, string][] = [
    [
      'cases.jsonl',
      '// a comment\n{"id": "one",   "input": "a", "expected": "A"}\r\n\n{"expected" :  "X" , "id": "two", "input": "b"}  \n# the end\n{"id": "json", "input": "{\\"n\\": 1}",\n  "expected": {"n": 2, "m": [1]}}\n',
      '// a comment\n{"id": "one",   "input": "a", "expected": "A"}\r\n\n{"expected" :  "B" , "id": "two", "input": "b"}  \n# the end\n{"id": "json", "input": "{\\"n\\": 1}",\n  "expected": {"n":1}}\n',
    ],
    [
      'cases.json',
      '[ // cases\n  { "id": "one", "input": "a", "expected": "A" },\n  { "id": "two", "expected": "X", "input": "b" }, // two\n]\n',
      '[ // cases\n  { "id": "one", "input": "a", "expected": "A" },\n  { "id": "two", "expected": "B", "input": "b" }, // two\n]\n',
    ],
    [
      'cases.yml',
      '# cases\n- id: one\n  input: a\n  expected: A # fine\n- id: two\n  expected: |\n    X\n    Y\n  input: b\n- {id: three, input: "c: d", expected: Z}\n',
      '# cases\n- id: one\n  input: a\n  expected: A # fine\n- id: two\n  expected: B\n  input: b\n- {id: three, input: "c: d", expected: "C: D"}\n',
    ],
    [
      'cases.csv',
      'id,input,expected,description\r\none,a,A,"first, one"\r\ntwo,"b, ""c""","X\nY",second\r\nthree,d,Z,\r\n',
      'id,input,expected,description\r\none,a,A,"first, one"\r\ntwo,"b, ""c""","B, ""C""",second\r\nthree,d,D,\r\n',
    ],
  ];
  test.each(formats)('%s', async (file, before, after) => {
    const cwd = place({ [file]: before });
    const terminal = startAtTerminal(['test', '-i', file, '-n', './agent.mjs', '-w'], { cwd });
    await terminal.sees('u update expected');
    terminal.press('u');
    await terminal.sees('as "expected"? y/n');
    expect(read(cwd, file)).toBe(before);
    terminal.press('n');
    await terminal.sees('Nothing is written.');
    expect(read(cwd, file)).toBe(before);
    terminal.press('u');
    await terminal.sees('as "expected"? y/n', 2);
    terminal.press('y');
    await terminal.sees(' written.', 2);
    expect(read(cwd, file)).toBe(after);
    // The written cases run once more, and then no more.
    await terminal.sees('0 failed');
    await terminal.sees('q quit', 3);
    expect(await quit(terminal)).toEqual([0, true]);
  });

  test('says why it cannot', async () => {
    const cwd = place({
      'cases.jsonl': [
        { defaults: { expected: 'D' } },
        { id: 'default', input: 'a' },
        { id: 'asserted', input: 'a', assert: { type: 'contains', value: 'Q' } },
        { id: 'broken', input: '{', expected: 'X' },
        { id: 'filled', input: 'b', expected: '{{W}}', vars: { W: 'w' } },
        { id: 'rows', input: '{{n}}', expected: 'X', each: [{ n: 'q' }] },
      ],
      'made.mjs': "export default [{ id: 'made', input: 'a', expected: 'X' }];\n",
    });
    const args = ['test', '-i', 'cases.jsonl', '-i', 'made.mjs', '-n', './agent.mjs', '-w'];
    const terminal = startAtTerminal(args, { cwd });
    await terminal.sees('u update expected');
    const before = read(cwd, 'cases.jsonl');
    terminal.press('u');
    await terminal.sees('made: the case is made by made.mjs, so change that');
    for (const reason of [
      'default: the case itself has no "expected"',
      'asserted: ',
      'broken: it has no answer',
      'filled: its "expected" has a {{variable}}',
      'rows#1: ',
    ])
      expect(terminal.text()).toContain(`not written: ${reason}`);
    expect(read(cwd, 'cases.jsonl')).toBe(before);
    await quit(terminal);
  });
});
