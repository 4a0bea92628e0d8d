// A run with something of everything, to look at.

import type { ResultEvent, RunEvent } from '../../src/model/event.ts';
import { resultEvent, startEvent, summaryEvent } from '../fixtures/logs/agent-log.ts';

const RUNS = 3;

/** Six cases with three runs each: stable, unstable, wrong, crashing, slow, skipped. */
export function supportRun(): RunEvent[] {
  return [
    startEvent({
      agent_id: 'support',
      total_cases: 6,
      runs_per_case: RUNS,
      connector: 'local.polite',
      flags: { runs: RUNS, name: 'support' },
    }),
    ...repeatedResults('greets', (run) => ({
      tags: ['smoke'],
      duration_ms: 100 + run,
      input: 'Hello there',
      output: 'Good day!',
      usage: { input_tokens: 10, output_tokens: 4 },
      cost_usd: 0.001,
      verdicts: [{ type: 'contains', status: 'passed' }],
    })),
    ...repeatedResults('finds the order', (run) => ({
      tags: ['orders'],
      duration_ms: 200 * run,
      input: 'Where is order A-1?',
      output: { state: run === 2 ? 'lost' : 'shipped', order: 'A-1' },
      ...(run === 2 ? wrong('expected "shipped" but got "lost"') : {}),
      messages: [
        { role: 'user', content: 'Where is order A-1?' },
        { role: 'assistant', content: 'It is on its way.' },
      ],
      tool_calls: [
        { name: 'find_order', arguments: { order: 'A-1' }, result: { state: 'shipped' }, duration_ms: 7 },
      ],
      verdicts: [
        run === 2
          ? {
              type: 'json_path',
              path: '$.state',
              status: 'failed',
              message: 'expected "shipped" but got "lost"',
              expected: { state: 'shipped', order: 'A-1' },
              actual: { state: 'lost', order: 'A-1' },
            }
          : { type: 'json_path', path: '$.state', status: 'passed' },
      ],
    })),
    ...repeatedResults('refunds 10', () => ({
      tags: ['orders'],
      input: 'Refund 10',
      ...wrong('expected 10 but got 11'),
    })),
    ...repeatedResults('refunds 20', () => ({
      tags: ['orders'],
      input: 'Refund 20',
      ...wrong('expected 20 but got 21'),
    })),
    ...repeatedResults('crashes', () => ({
      status: 'error',
      code: 'agent',
      input: 'Crash',
      error: 'TypeError: cart is undefined',
      stack: 'TypeError: cart is undefined\n    at total (assistants/support/src/cart.ts:4:10)',
      logs: ['fetching the cart', 'it is empty'],
      duration_ms: 5,
    })),
    resultEvent('later', { status: 'skipped', reason: 'skip', duration_ms: 0, line: 6 }),
    summaryEvent({
      exit_code: 1,
      total: 6,
      passed: 1,
      failed: 4,
      skipped: 1,
      errors: 1,
      total_runs: 15,
      runs_per_case: RUNS,
      overall_pass_rate: 33.3,
      stable_cases: 1,
      unstable_cases: 4,
      usage: { input_tokens: 30, output_tokens: 12 },
      cost_usd: 0.003,
    }),
  ];
}

function wrong(error: string): Partial<ResultEvent> {
  return { status: 'failed', error };
}

function repeatedResults(id: string, fields: (run: number) => Partial<ResultEvent>): ResultEvent[] {
  return Array.from({ length: RUNS }, (_, at) => resultEvent(id, { run: at + 1, ...fields(at + 1) }));
}
