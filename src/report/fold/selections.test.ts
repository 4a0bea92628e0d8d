import { expect, test } from 'vitest';
import type { SelectionEvent } from '../../model/event.ts';
import { selectionText } from '../text/selection-text.ts';
import { createSelectionFold } from './selections.ts';

const A = { Model: 'a' };
const B = { Model: 'b' };

const event = (id: string, more: Partial<SelectionEvent>): SelectionEvent => ({
  type: 'selection',
  test_id: 't',
  id,
  run: 1,
  criteria: 'is short',
  choices: [A, B],
  ...more,
});

test('counts how often each variant is the best, by criteria; the last choice for a case counts', () => {
  const fold = createSelectionFold();
  fold.add(event('one', { error: 'the judge failed' }));
  fold.add(event('one', { best: B, choices: [B, A] }));
  fold.add(event('two', { best: B }));
  fold.add(event('two', { best: A, run: 2 }));
  fold.add(event('three', { error: 'the judge failed' }));
  fold.add(event('one', { best: A, criteria: 'is kind' }));
  const result = fold.result();
  expect(result).toEqual([
    {
      criteria: 'is short',
      variants: [
        { variables: B, best: 2, total: 3 },
        { variables: A, best: 1, total: 3 },
      ],
      errors: 1,
    },
    {
      criteria: 'is kind',
      variants: [
        { variables: A, best: 1, total: 1 },
        { variables: B, best: 0, total: 1 },
      ],
      errors: 0,
    },
  ]);
  expect(result.map(selectionText)).toEqual([
    'Best by "is short": Model=b 2 of 3, Model=a 1 of 3; 1 could not be chosen',
    'Best by "is kind": Model=a 1 of 1, Model=b 0 of 1',
  ]);
});
