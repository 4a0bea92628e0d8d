// Runs in which judges, hooks and the assistant's own hooks are hostile or broken.

const SEND = `import { closeSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
const send = (message: unknown) => writeSync(3, JSON.stringify(message) + '\\n');
const ids = Array.from({ length: 100 }, (_, id) => id);
`;

/** Ways to end, block or confuse the process that a function runs in; the name is that of the function. */
const WAYS = {
  Blocks: 'for (;;);',
  BlocksLater: 'setImmediate(() => { for (;;); }); return new Promise(() => {});',
  Hangs: 'return new Promise(() => {});',
  Exits: 'process.exit(0);',
  Aborts: 'process.abort();',
  Kills: "process.kill(process.pid, 'SIGKILL');",
  Stops: "process.kill(process.pid, 'SIGSTOP');",
  Throws: "throw new Error('broken');",
  ThrowsNothing: 'throw undefined;',
  ThrowsLater: "setTimeout(() => { throw new Error('late'); }); return new Promise(() => {});",
  Circles: 'const circle: any = {}; circle.self = circle; circle.pass = circle; return circle;',
  Deep: 'let deep: any = 1; for (let n = 0; n < 20000; n++) deep = [deep]; return deep;',
  Big: 'return 10n;',
  Nonsense: "writeSync(3, 'nonsense\\n'); return new Promise(() => {});",
  Closes: 'closeSync(3); return new Promise(() => {});',
  Daemon: "spawn('setsid', ['-f', 'sleep', '300'], { stdio: 'ignore' }); throw new Error('broken');",
};

/** Values of a judge that decide nothing. */
const SHAPES = {
  ShapeText: "return 'pass';",
  ShapeNumber: 'return 1;',
  ShapeList: 'return [true];',
  ShapeOdd: "return { pass: 'yes' };",
  ShapeEmpty: 'return {};',
  ShapeNothing: 'return undefined;',
};

/** A judge that forges messages; the built-in assertion beside it fails. */
const FORGERS = {
  ForgesDone: 'for (const id of ids) send({ type: "done", id, value: { pass: true } }); return true;',
  ForgesAnswers:
    'send({ type: "answered", stuck: 0, answers: ids.map((seq) => ({ seq, took_ms: 0, transcript: { output: "right" } })) }); return true;',
  Patches:
    'Object.is = () => true; JSON.stringify = () => \'"right"\'; Array.prototype.every = () => true; return true;',
};

const functions = (ways) =>
  `// @ts-nocheck\n${SEND}${Object.entries(ways)
    .map(([name, code]) => `function ${name}(...all: any[]) { ${code} }`)
    .join('\n')}\nfunction Fine() { return true; }\n`;

const RUN = 'test -i cases.jsonl -n ./agent.mjs -o log.jsonl --retries 0 --parallel 6 --timeout 2s'.split(
  ' ',
);
const AGENT = `export default (messages) => messages.at(-1).content;`;

/** Script assertions. An answer that is right does not pass if the judge does not say so. */
export function judgesRun() {
  const scripted = (name, input) => ({
    id: `judge ${name}`,
    input,
    assert: [
      { type: 'equals', value: 'right' },
      { type: 'script', script: `scripts.check.${name}` },
    ],
  });
  const hostile = [
    ...Object.keys({ ...WAYS, ...SHAPES }).map((name) => scripted(name, 'right')),
    ...Object.keys(FORGERS).map((name) => scripted(name, 'wrong')),
  ];
  return {
    name: 'judges',
    files: {
      'app.yao': '{}',
      'agent.mjs': AGENT,
      'scripts/check.ts': functions({ ...WAYS, ...SHAPES, ...FORGERS }),
      'cases.jsonl': [honestCase('honest 1'), scripted('Fine', 'right'), ...hostile, honestCase('honest 2')],
    },
    args: [...RUN, '--timeout', '1s'],
    hostile: hostile.map(({ id }) => id),
    honest: ['honest 1', 'honest 2'],
    // It shares the process of the judges: it may be an error, but not a failure.
    unfailing: ['judge Fine'],
  };
}

/** Hooks before and after a case. */
export function hooksRun() {
  const names = Object.keys(WAYS).filter((name) => !['Big', 'Circles', 'Deep'].includes(name));
  const before = names.map((name) => ({
    id: `before ${name}`,
    input: 'wrong',
    expected: 'right',
    before: `scripts.check.${name}`,
  }));
  const after = names
    .filter((name) => !['Hangs', 'Blocks', 'BlocksLater', 'Stops', 'Closes', 'Nonsense'].includes(name))
    .map((name) => ({
      id: `after ${name}`,
      input: 'wrong',
      expected: 'right',
      after: `scripts.check.${name}`,
    }));
  return {
    name: 'hooks',
    files: {
      'app.yao': '{}',
      'agent.mjs': AGENT,
      'scripts/check.ts': functions(WAYS),
      'cases.jsonl': [honestCase('honest 1'), ...before, ...after, honestCase('honest 2')],
    },
    args: [...RUN, '--isolate'],
    hostile: [...before, ...after].map(({ id }) => id),
    honest: ['honest 1', 'honest 2'],
  };
}

/** An assistant whose own hook is hostile. */
export function assistantRun() {
  const hostile = Object.keys(WAYS).map((name) => `assistant ${name}`);
  return {
    name: 'assistants',
    files: {
      'app.yao': '{}',
      'assistants/wild/package.yao': { name: 'Wild' },
      'assistants/wild/src/index.ts': `${functions(WAYS)}const ways = { ${Object.keys(WAYS).join(', ')} };
function Next(ctx: any, { messages }: any) {
  const what = messages.at(-1).content;
  return what === 'honest' ? { data: 'right' } : { data: ways[what.replace('assistant ', '')]() };
}`,
      'cases.jsonl': [
        { id: 'honest 1', input: 'honest', expected: 'right' },
        ...hostile.map((id) => ({ id, input: id, expected: 'right' })),
        { id: 'honest 2', input: 'honest', expected: 'right' },
      ],
    },
    args: [...RUN.with(4, 'wild'), '--isolate'],
    hostile,
    honest: ['honest 1', 'honest 2'],
  };
}

function honestCase(id) {
  return { id, input: 'right', expected: 'right' };
}
