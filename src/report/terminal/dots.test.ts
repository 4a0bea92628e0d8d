import { expect, test } from 'vitest';
import type { RunEvent } from '../../model/event.ts';
import { batchOf, resultEvent, startEvent, summaryEvent } from '../../../test/fixtures/logs/agent-log.ts';
import { createTerminal } from './terminal.ts';

function shown(events: readonly RunEvent[], { verbose = false } = {}): string {
  let text = '';
  const stream = { write: (piece: string) => (text += piece) };
  const terminal = createTerminal({ stream, color: false, interactive: false, verbose, unicode: true });
  terminal.write(batchOf(events));
  void terminal.close?.();
  return text;
}

test('with more than 1,000 cases, those that passed at once are dots and the others lines', () => {
  const events: RunEvent[] = [
    startEvent({ total_cases: 1001 }),
    ...Array.from({ length: 80 }, (_, index) => resultEvent(`p${String(index)}`)),
    resultEvent('again', { retries: 1 }),
    resultEvent('bad', { status: 'timeout', error: 'timeout after 1s' }),
    resultEvent('last'),
    summaryEvent({}),
  ];
  const lines = shown(events).split('\n');
  const first = lines.findIndex((line) => line.startsWith('.'));
  expect(lines.slice(first, first + 11)).toEqual([
    '.'.repeat(79),
    '.',
    expect.stringMatching(/^✓ again /),
    expect.stringMatching(/^⏱ bad /),
    '  └─ timeout after 1s',
    '.',
    '',
    'Did not pass:',
    '⏱ timeout after 1s',
    '  └─ bad',
    '',
  ]);
  expect(shown(events, { verbose: true })).toContain('✓ p0 ');
});
