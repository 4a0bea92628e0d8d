import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunEvent } from '../model/event.ts';
import { htmlReport } from './html.ts';
import {
  lenientRun,
  mixedRun,
  resultEvent,
  sourceOf,
  startEvent,
  summaryEvent,
  textOfReport,
} from './sample-log.ts';
import { everyEndRun, mixedScriptRun } from './sample-script-log.ts';

async function reportOf(events: readonly RunEvent[]): Promise<string> {
  return textOfReport(htmlReport(sourceOf(events)));
}

/** What the reader sees below the style. */
async function bodyOf(events: readonly RunEvent[]): Promise<string> {
  return (await reportOf(events)).split('<body>\n')[1] ?? '';
}

test('has the figures, a filter and every case with its details', async () => {
  expect(await bodyOf(mixedRun())).toMatchInlineSnapshot(`
    "<h1>Agent Test: keyword</h1>
    <ul class="figures"><li><b>5</b> total</li><li><b>1</b> passed</li><li><b>3</b> failed</li><li><b>1</b> errors</li><li><b>1</b> timeouts</li><li><b>1</b> skipped</li><li><b>33.3%</b> pass rate</li><li><b>12.3s</b> duration</li></ul>
    <p class="facts">connector deepseek.v3 · user test-user · team test-team · locale en-us · started 2024-12-17T10:00:00Z · Assay 0.1.0 · run 01939f0a-0000-7000-8000-000000000001</p>
    <input type="radio" name="filter" id="all" checked> <label class="filter" for="all">All (5)</label>
    <input type="radio" name="filter" id="failed"> <label class="filter" for="failed">Not passed (3)</label>
    <input type="radio" name="filter" id="skipped"> <label class="filter" for="skipped">Skipped (1)</label>
    <main>
    <details class="case passed"><summary><span class="status">✓ Passed</span> T001 <span class="time">(234ms)</span></summary>
    <div class="body"><p class="note">smoke</p><h4>Input</h4><pre>Extract the keywords</pre><h4>Output</h4><pre>{
      &quot;keywords&quot;: [
        &quot;AI&quot;,
        &quot;ML&quot;
      ]
    }</pre><h4>Verdicts</h4><ul><li>passed: contains</li></ul></div></details>
    <details class="case failed"><summary><span class="status">✗ Failed</span> T002 <span class="time">(15ms)</span> <span class="why">expected &quot;cloud&quot; but got &quot;fog&quot;</span></summary>
    <div class="body"><h4>Input</h4><pre>cloud</pre><h4>Expected</h4><pre>cloud</pre><h4>Why</h4><p>equals: expected &quot;cloud&quot; but got &quot;fog&quot;</p><pre><del>- cloud</del>
    <ins>+ fog</ins></pre><p>json_path $.a: nothing there</p><pre>expected: 1
    actual: null</pre><h4>Output</h4><pre>fog</pre><h4>Verdicts</h4><ul><li>failed: equals: expected &quot;cloud&quot; but got &quot;fog&quot;</li><li>failed: json_path $.a: nothing there</li><li>passed: regex</li></ul></div></details>
    <details class="case timeout"><summary><span class="status">⏱ Timeout</span> T003 <span class="time">(30s)</span> <span class="why">timeout after 30s</span></summary>
    <div class="body"><h4>Why</h4><p>timeout after 30s</p></div></details>
    <details class="case error"><summary><span class="status">! Error</span> T004 <span class="time">(3ms)</span> <span class="why">connect ECONNREFUSED</span></summary>
    <div class="body"><h4>Why</h4><p>connection: connect ECONNREFUSED</p></div></details>
    <div class="case skipped"><p><span class="status">○ Skipped</span> T005 <span class="why">skip</span></p></div>
    </main>
    </body>
    </html>
    "
  `);
});

test('has the parts, stack and logs of script tests', async () => {
  const body = await bodyOf(everyEndRun());
  expect(body.slice(0, body.indexOf('\n'))).toBe('<h1>Script Test: scripts.expense.setup</h1>');
  expect(body.slice(body.indexOf('<main>'))).toMatchInlineSnapshot(`
    "<main>
    <details class="case passed"><summary><span class="status">✓ Passed</span> TestNothing <span class="time">(0ms, no assertions)</span></summary>
    <div class="body"><h4>Logs</h4><pre>quiet</pre></div></details>
    <details class="case failed"><summary><span class="status">✗ Failed</span> TestTotal <span class="time">(12ms)</span> <span class="why">assertion failed: sums differ</span></summary>
    <div class="body"><h4>Why</h4><p>assertion failed: sums differ</p><pre><del>- &quot;total&quot;: 3</del>
    <ins>+ &quot;total&quot;: 4</ins></pre><p class="note">at expense/src/setup_test.ts:20:7</p><p>no good</p><p class="note">at expense/src/setup_test.ts:21:5</p><p>TestTotal/empty cart/with tax: assertion failed: tax</p><pre>expected: &quot;1&quot;
    actual: 1</pre><p class="note">at expense/src/setup_test.ts:24:9</p><h4>Subtests</h4><ul><li>failed: TestTotal/empty cart/with tax (1ms): assertion failed: tax</li><li>failed: TestTotal/empty cart (2ms): assertion failed: tax</li><li>passed: TestTotal/one item (1ms)</li><li>skipped: TestTotal/refunds (0ms): not yet</li></ul><h4>Logs</h4><pre>begin
    end</pre></div></details>
    <details class="case error"><summary><span class="status">! Error</span> TestThrows <span class="time">(3ms)</span> <span class="why">TypeError: cart is undefined</span></summary>
    <div class="body"><h4>Why</h4><p>TypeError: cart is undefined</p><h4>Stack</h4><pre>TypeError: cart is undefined
        at total (expense/src/setup.ts:4:10)
        at TestThrows (expense/src/setup_test.ts:30:3)</pre></div></details>
    <details class="case timeout"><summary><span class="status">⏱ Timeout</span> TestHangs <span class="time">(30s)</span> <span class="why">timeout after 30s</span></summary>
    <div class="body"><h4>Why</h4><p>timeout after 30s</p></div></details>
    <div class="case skipped"><p><span class="status">○ Skipped</span> TestLater <span class="why">needs a database</span></p></div>
    <div class="case skipped"><p><span class="status">○ Skipped</span> TestLast <span class="why">fail_fast</span></p></div>
    </main>
    </body>
    </html>
    "
  `);
});

test('has every run of a case, the failing ones opened', async () => {
  const body = await bodyOf(lenientRun());
  expect(body.slice(body.indexOf('<main>'))).toMatchInlineSnapshot(`
    "<main>
    <details class="case passed shaky"><summary><span class="status">✓ Passed</span> T001 <span class="time">(12ms, 2/5 runs, Highly Unstable, 2 retries)</span></summary>
    <div class="body"><details class="passed"><summary><span class="status">✓ Passed</span> Run 1 <span class="time">(12ms)</span></summary><div class="body"><h4>Output</h4><pre>a</pre><h4>Logs</h4><pre>asked</pre></div></details><details class="timeout" open><summary><span class="status">⏱ Timeout</span> Run 2 <span class="time">(12ms)</span></summary><div class="body"><h4>Why</h4><p>timeout after 1s</p></div></details><details class="failed" open><summary><span class="status">✗ Failed</span> Run 3 <span class="time">(12ms, tried 3 times)</span></summary><div class="body"><h4>Why</h4><p>no answer</p></div></details><details class="timeout" open><summary><span class="status">⏱ Timeout</span> Run 4 <span class="time">(12ms)</span></summary><div class="body"><h4>Why</h4><p>timeout after 1s</p></div></details><details class="passed"><summary><span class="status">✓ Passed</span> Run 5 <span class="time">(12ms)</span></summary><div class="body"><h4>Output</h4><pre>a</pre></div></details></div></details>
    </main>
    </body>
    </html>
    "
  `);
});

test('names the input of a case if there are several, and says that a killed run is unfinished', async () => {
  const body = await bodyOf(mixedScriptRun().slice(0, 3));
  expect(body).toContain('the run did not come to its end; 2 of 3 cases have a result.');
  expect(body).toContain('</span> scripts.expense.setup › TestSetup <span class="time">(15ms)</span>');
});

test('shows what an agent did on the way', async () => {
  const result = resultEvent('T001', {
    input: 'Hi',
    output: 'Bye',
    messages: [{ role: 'user', content: 'Hi' }],
    tool_calls: [{ name: 'search', arguments: { q: 'a' }, result: 'found', duration_ms: 7 }],
    checkpoints: [{ id: 'asks', required: true, reached: true, turn: 1 }],
    verdicts: [{ type: 'agent', status: 'passed', score: 0.9, reason: 'polite' }],
    usage: { input_tokens: 1200, output_tokens: 3 },
  });
  const body = await bodyOf([startEvent(), result, summaryEvent()]);
  const lists = body.match(/<h4>[^<]*<\/h4><ul>.*?<\/ul>/g);
  expect(lists).toEqual([
    '<h4>Messages</h4><ul><li>user: Hi</li></ul>',
    '<h4>Tool calls</h4><ul><li>search({&quot;q&quot;:&quot;a&quot;}) → found (7ms)</li></ul>',
    '<h4>Checkpoints</h4><ul><li>asks in turn 1</li></ul>',
    '<h4>Verdicts</h4><ul><li>passed: judge: score 0.90: polite</li></ul>',
    '<h4>Model</h4><ul><li>1,200 tokens in, 3 out</li></ul>',
  ]);
});

test('loads and runs nothing, and lets the browser hold it to that', async () => {
  const report = await reportOf(mixedRun());
  const style = /<style>(.*)<\/style>/s.exec(report)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  expect(report).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  expect(/<script|<link|<img|<iframe|src=|href=|url\(|@import|style="/.exec(report)).toBe(null);
});

test('hostile answers are text wherever they stand', async () => {
  const hostile = `</pre></details></script><script>alert(1)</script><img src=x onerror="alert(1)"' \u0000\u202e&lt;`;
  const events: RunEvent[] = [
    startEvent({ agent_id: hostile, connector: hostile, version: hostile, run_id: hostile }),
    resultEvent(hostile, {
      status: 'failed',
      input: hostile,
      output: { [hostile]: hostile },
      expected: hostile,
      description: hostile,
      tags: [hostile],
      variables: { [hostile]: hostile },
      error: hostile,
      stack: hostile,
      logs: [hostile],
      messages: [{ role: hostile, content: hostile }],
      tool_calls: [{ name: hostile, arguments: hostile, error: hostile }],
      verdicts: [{ type: hostile, status: 'failed', message: hostile, diff: `- ${hostile}`, at: hostile }],
      subtests: [{ name: hostile, status: 'failed', duration_ms: 1, error: hostile }],
    }),
    resultEvent('T002', { test_id: hostile, status: 'skipped', reason: 'skip', skip_message: hostile }),
  ];
  const report = await reportOf(events);
  expect(elementsOf(report)).toEqual(
    elementsOf(
      await reportOf(
        JSON.parse(
          JSON.stringify(events).replaceAll(JSON.stringify(hostile).slice(1, -1), 'x'),
        ) as RunEvent[],
      ),
    ),
  );
  expect(report).not.toContain('\u202e');
  expect(report).toContain('<h4>Input</h4><pre>&lt;/pre&gt;&lt;/details&gt;&lt;/script&gt;&lt;script&gt;');
});

test('very long answers are cut and say so', async () => {
  const body = await bodyOf([startEvent(), resultEvent('T001', { output: 'x'.repeat(30_000) })]);
  expect(body).toContain(
    `${'x'.repeat(20_000)}</pre><p class="note">… 10000 more characters; the run log has all of it.</p>`,
  );
});

test('is made in chunks, however many cases there are', async () => {
  const events = function* (): Generator<RunEvent> {
    yield startEvent({ total_cases: 20_000 });
    for (let at = 0; at < 20_000; at += 1) yield resultEvent(`T${at}`, { output: 'answer' });
  };
  let longest = 0;
  let cases = 0;
  const source = {
    async *events() {
      yield* events();
    },
  };
  for await (const chunk of htmlReport(source)) {
    longest = Math.max(longest, chunk.length);
    cases += chunk.split('<details class="case').length - 1;
  }
  expect(cases).toBe(20_000);
  expect(longest).toBeLessThan(70_000);
});

/** Reads HTML as strictly as these reports are written; gives its tags with their attributes, in order. */
function elementsOf(html: string): string[] {
  const token = /<(?:!doctype html|\/?[a-z0-9]+(?: [a-z-]+(?:="[^"<>]*")?)*)>|[^<]+/y;
  const tags: string[] = [];
  const open: string[] = [];
  while (token.lastIndex < html.length) {
    const at = token.lastIndex;
    const [text] = token.exec(html) ?? [];
    if (text === undefined) throw new Error(`not well-formed at ${html.slice(at, at + 60)}`);
    if (!text.startsWith('<')) {
      if (open.at(-1) !== 'style' && /[>"']/.test(text.replaceAll('\n', '')))
        throw new Error(`not escaped: ${text.slice(0, 60)}`);
      continue;
    }
    const name = /^<\/?!?([a-z0-9]+)/.exec(text)?.[1] ?? '';
    tags.push(text.replace(/content="assay [^"]*"/, ''));
    if (['doctype', 'input', 'meta'].includes(name)) continue;
    if (!text.startsWith('</')) open.push(name);
    else if (open.pop() !== name) throw new Error(`${text} closes nothing at ${html.slice(at - 60, at)}`);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is not closed`);
  return tags;
}
