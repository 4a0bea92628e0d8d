import { expect, test } from 'vitest';
import { activityPiece } from './markdown-activity.ts';

test('shows a conversation, its tools, checkpoints and judges, and lets nothing break out', () => {
  const text = activityPiece({
    turns: 1,
    messages: [
      { role: 'user', content: 'Hi <b>' },
      { role: 'assistant', content: 'two\nlines' },
    ],
    checkpoints: [
      { id: 'a', required: true, reached: true, turn: 1 },
      { id: 'b', required: true, reached: false },
      { id: 'c', required: false, reached: false },
    ],
    tool_calls: [
      { name: 'add', arguments: { a: 1 }, result: 3, duration_ms: 7 },
      { name: 'fail', error: 'no' },
    ],
    verdicts: [
      { type: 'agent', status: 'passed', score: 0.5, reason: 'fine' },
      { type: 'equals', status: 'passed' },
    ],
  });
  expect(text).toBe(`**Conversation**

- **user:** Hi \\<b\\>
- **assistant:** two lines

**Checkpoints:** a in turn 1, b not reached, c not reached (not required)

**Tools**

- add({"a":1}) → 3 (7ms)
- fail() failed: no

**Judged**

- judge: score 0.50: fine

`);
  expect(activityPiece({ tool_calls: [], messages: [{ role: 'user', content: 'x' }] })).toBe('');
});
