import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AttemptError, MisconfiguredAgent } from '../../errors.ts';
import { contextWith } from '../../model/context.fixture.ts';
import type { ContextData } from '../../model/context.ts';
import type { Agent } from '../adapter.ts';
import { openAgent } from '../registry.ts';
import { openDirectory } from '../resolve/directory.ts';
import { preparePython } from './prepare-python.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-open-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const place = { root: folder, cwd: folder, env: process.env };

/** Opens an agent of this source in a process of its own. */
async function open(source: string, name = 'answer', options?: Record<string, unknown>): Promise<Agent> {
  const file = join(folder, `agent${String((count += 1))}.py`);
  writeFileSync(file, source);
  const { run } = preparePython(file, name, place);
  const directory = openDirectory({ root: folder, cwd: folder, env: {}, learn: () => undefined });
  return openAgent({ id: 'a1', run, ...(options && { options }) }, { root: folder, directory });
}

async function ask(
  agent: Agent,
  text: string,
  { context = contextWith({}), signal = new AbortController().signal, options }: AskOptions = {},
): Promise<unknown> {
  const deps = { env: process.env, fetch, signal, ...(options && { options }) };
  try {
    return await agent.run([{ role: 'user', content: text }], context, deps);
  } catch (error) {
    if (error instanceof MisconfiguredAgent) return { problem: error.problem };
    if (!(error instanceof AttemptError)) return error;
    const { code, message, cause } = error;
    return { code, message, ...(cause instanceof Error && { stack: cause.stack }) };
  }
}

type AskOptions = { context?: ContextData; signal?: AbortSignal; options?: Record<string, unknown> };

test('every JSON value, dataclass, model and stream is an answer; a dict with output is a transcript', async () => {
  const agent = await open(`
import asyncio, dataclasses

@dataclasses.dataclass
class Point:
    x: int
    tags: tuple = ("a",)

class Model:
    def model_dump(self, mode):
        return {"mode": mode}

async def pieces():
    for piece in ["x", b"\\xc3", b"\\xa9"]:
        await asyncio.sleep(0)
        yield piece

async def later():
    return {"output": None, "usage": {"input_tokens": 1}}

VALUES = {
    "text": "é",
    "none": None,
    "number": 1.5,
    "dict": {"a": [True, None]},
    "transcript": {"output": "o", "tool_calls": [{"name": "t"}], "other": 1},
    "dataclass": Point(1),
    "nested": [Point(2), Model()],
    "surrogate": "\\ud800!",
}

def answer(messages):
    name = messages[0]["content"]
    if name == "generator":
        return (str(i) for i in range(3))
    if name == "mixed":
        return iter([{"a": 1}, "b"])
    if name == "async generator":
        return pieces()
    if name == "coroutine":
        return later()
    return VALUES[name]
`);
  const names = ['text', 'none', 'number', 'dict', 'transcript', 'dataclass', 'nested', 'surrogate'];
  const streams = ['generator', 'mixed', 'async generator', 'coroutine'];
  const answers = await Promise.all(
    [...names, ...streams].map(async (name) => [name, await ask(agent, name)]),
  );
  expect(Object.fromEntries(answers)).toEqual({
    text: { output: 'é' },
    none: { output: null },
    number: { output: 1.5 },
    dict: { output: { a: [true, null] } },
    transcript: { output: 'o', tool_calls: [{ name: 't' }] },
    dataclass: { output: { x: 1, tags: ['a'] } },
    nested: { output: [{ x: 2, tags: ['a'] }, { mode: 'json' }] },
    surrogate: { output: '\ud800!' },
    generator: { output: '012' },
    mixed: { output: [{ a: 1 }, 'b'] },
    'async generator': { output: 'xé' },
    coroutine: { output: null, usage: { input_tokens: 1 } },
  });
});

test('a value that is not JSON is an error that says what to return', async () => {
  const agent = await open(`
import decimal
CYCLE = []
CYCLE.append(CYCLE)
VALUES = {"set": {1}, "decimal": {"price": decimal.Decimal(1)}, "nan": float("nan"), "cycle": CYCLE, "bytes": b"x", "key": {(1, 2): 3}}
def answer(messages):
    return VALUES[messages[0]["content"]]
`);
  const remedy = 'return text, a dict, a list, a dataclass or a pydantic model';
  const error = (reason: unknown) => ({ code: 'agent', message: reason, stack: undefined });
  const json = 'the answer cannot be written as JSON';
  expect(await ask(agent, 'set')).toEqual(error(`${json}: a value of type set is not JSON; ${remedy}`));
  expect(await ask(agent, 'decimal')).toEqual(
    error(`${json}: a value of type decimal.Decimal is not JSON; ${remedy}`),
  );
  expect(await ask(agent, 'bytes')).toEqual(error(`${json}: a value of type bytes is not JSON; ${remedy}`));
  for (const name of ['nan', 'cycle', 'key'])
    expect(await ask(agent, name)).toEqual(error(expect.stringContaining(json)));
});

test('an exception is the failure of the agent, with the traceback of its own frames', async () => {
  const agent = await open(
    'def helper():\n    raise KeyError("x")\n\ndef answer(messages):\n    return helper()\n',
  );
  const file = join(folder, `agent${String(count)}.py`);
  expect(await ask(agent, '')).toEqual({
    code: 'agent',
    message: "KeyError: 'x'",
    stack: expect.stringMatching(
      new RegExp(
        `^Traceback \\(most recent call last\\):\n  File "${file}", line 5, in answer\n    return helper\\(\\)\n(?: +\\^+\n)?` +
          `  File "${file}", line 2, in helper\n    raise KeyError\\("x"\\)\n(?: +\\^+\n)?KeyError: 'x'$`,
      ),
    ) as unknown,
  });
  const exits = await open('import sys\nasync def answer(messages):\n    sys.exit("no")\n');
  expect(await ask(exits, '')).toEqual({
    code: 'agent',
    message: "it called sys.exit('no')",
    stack: undefined,
  });
});

test.each([
  ['def answer(messages, ctx): return ctx.user_id', 'u1'],
  ['def answer(messages, ctx): return ctx["team_id"]', 't1'],
  ['def answer(messages, *, ctx): return [ctx.locale, ctx.chat_id]', ['en-us', 'c1']],
  ['def answer(*args): return len(args)', 2],
  ['def answer(messages, ctx, more=1): return more', 1],
  ['answer = lambda messages: messages[0]["content"]', 'hello'],
  ['import functools\nasync def f(a, messages): return a\nanswer = functools.partial(f, 5)', 5],
  ['class A:\n    def __call__(self, messages): return "called"\nanswer = A()', 'called'],
  ['def answer(messages, ctx): return ctx.options', { t: 2, u: 1 }],
  ['def answer(messages, ctx): return [ctx.variables["Day"].year, ctx.get("dates")]', [2024, null]],
  ['def answer(messages, ctx): return ctx.metadata', { m: 1 }],
])('calls a function as its signature says: %s', async (source, output) => {
  const context = contextWith({
    authorized: { user_id: 'u1', team_id: 't1' },
    chat_id: 'c1',
    metadata: { m: 1 },
    variables: { Day: '2024-05-06T00:00:00.000Z' },
    dates: ['Day'],
  });
  const agent = await open(source, 'answer', { t: 1, u: 1 });
  expect(await ask(agent, 'hello', { context, options: { t: 2 } })).toEqual({ output });
});

test.each([
  ['def answer(): return 1', 'answer takes no arguments; Assay calls it with (messages, ctx)'],
  ['def answer(a, b, c): return 1', 'answer needs 3 arguments; Assay calls it with (messages, ctx)'],
  ['def answer(a, *, key): return 1', 'answer needs the keyword key; Assay calls it with (messages, ctx)'],
  ['class answer: pass', 'answer is a class; Assay calls a function'],
  ['answer = 5', 'answer is a value of type int; Assay calls a function'],
  ['from os.path import *\ndef other(m): pass', 'has no function "answer" (it has other)'],
])('a function that cannot be called is a configuration error: %s', async (source, message) => {
  const agent = await open(source);
  const file = join(folder, `agent${String(count)}.py`);
  const hint = `write def answer(messages, ctx): …, or name another function: ${file}:<function>`;
  expect(await ask(agent, '')).toEqual({ problem: { message, at: file, hint } });
});

test('a file that cannot be imported is a configuration error with its line', async () => {
  const missing = await open('x = 1\nimport no_such_package\ndef answer(messages): return 1');
  const file = join(folder, `agent${String(count)}.py`);
  expect(await ask(missing, '')).toEqual({
    problem: {
      message: "cannot be imported: ModuleNotFoundError: No module named 'no_such_package'",
      at: `${file}:2`,
      hint: expect.stringMatching(
        /^install it: \S+ -m pip install no_such_package; or choose another Python with --python$/,
      ) as unknown,
    },
  });
  const broken = await open('def answer(messages):\n    return (1\n');
  expect(await ask(broken, '')).toEqual({
    problem: {
      message: expect.stringMatching(/^cannot be imported: SyntaxError: /) as unknown,
      at: expect.stringMatching(new RegExp(`^${join(folder, `agent${String(count)}.py`)}:[23]$`)) as unknown,
    },
  });
});

test('calls run at the same time: functions in threads, async functions in one event loop', async () => {
  const threads = await open(`
import threading
barrier = threading.Barrier(4)
def answer(messages):
    barrier.wait(10)
    return threading.current_thread() is threading.main_thread()
`);
  const tasks = await open(`
import asyncio, threading
waiting = []
async def answer(messages):
    waiting.append(asyncio.get_running_loop().create_future())
    if len(waiting) == 4:
        for each in waiting: each.set_result(threading.current_thread() is threading.main_thread())
    return await waiting[int(messages[0]["content"])]
`);
  const texts = ['0', '1', '2', '3'];
  const all = (agent: Agent) => Promise.all(texts.map((text) => ask(agent, text)));
  expect(await all(threads)).toEqual(texts.map(() => ({ output: false })));
  expect(await all(tasks)).toEqual(texts.map(() => ({ output: true })));
});

test('an async function is cancelled; a function that goes on ends with its process, when its neighbours have ended', async () => {
  const source = (body: string) => `
import asyncio, os, time
cancelled = []
${body}
`;
  const cancelled = await open(
    source(`
async def answer(messages):
    if messages[0]["content"] != "wait": return [os.getpid(), cancelled]
    try: await asyncio.sleep(100)
    except asyncio.CancelledError: cancelled.append(1)
    raise ValueError("cancelled")`),
  );
  const pid = async (agent: Agent) => ((await ask(agent, 'pid')) as { output: [number, number[]] }).output;
  const [first] = await pid(cancelled);
  const reason = new Error('too late');
  const controller = new AbortController();
  const waiting = ask(cancelled, 'wait', { signal: controller.signal });
  await ask(cancelled, 'pid');
  controller.abort(reason);
  expect(await waiting).toMatchObject({ message: 'ValueError: cancelled' });
  expect(await pid(cancelled)).toEqual([first, [1]]);

  const stuck = await open(
    source(`
def answer(messages):
    time.sleep({"wait": 100, "slow": 0.5}.get(messages[0]["content"], 0))
    return [os.getpid(), cancelled]`),
  );
  const [old] = await pid(stuck);
  const next = new AbortController();
  const hanging = ask(stuck, 'wait', { signal: next.signal });
  const slow = ask(stuck, 'slow');
  await ask(stuck, 'pid');
  next.abort(reason);
  expect(await hanging).toEqual({
    code: 'agent',
    message: expect.stringMatching(/was killed by SIGKILL$/) as unknown,
  });
  expect(await slow).toEqual({ output: [old, []] });
  expect((await pid(stuck))[0]).not.toBe(old);
});
