import { expect, test } from 'vitest';
import { historyOf } from './flaky.ts';

/** Outcomes as letters, oldest first; spaces are for readers. */
function kindOf(letters: string): string {
  return historyOf(Array.from(letters.replaceAll(' ', ''), (letter) => letter === 'P')).kind;
}

test('a case that flipped once and stayed so has changed', () => {
  expect([kindOf('PPPPPP FFFFFF'), kindOf('FFFFFFFF PPPP')]).toEqual(['changed', 'changed']);
  // Noise before the change, or a run in which it happened.
  expect(kindOf('PPPPPPFPPPPPFPPPPPFP FFFFFFFFF')).toBe('changed');
  expect(kindOf('PPPPPPPPPP FPFPFPFP FFFFFFFFFF')).toBe('changed');
});

test('an opposite outcome after the change makes it flaky', () => {
  expect(kindOf('PPPPPPFPPPPPFPPPPPFP FFFFFF FP F')).toBe('flaky');
  expect(kindOf('PPPPPPPPPP FFFFFFF P')).toBe('flaky');
});

test('a case that came back has not stayed', () => {
  expect([
    kindOf('PPPPPPPPPP FFFFFFFFFF PPPPPPPPPP'),
    kindOf('PPPPPPPPPPPPPPPPPPPP FFFFF PPPPPPPPPP'),
  ]).toEqual(['flaky', 'flaky']);
});

test('steady and unclear cases are neither', () => {
  expect([kindOf('PPPPPP'), kindOf('PPPPPF'), kindOf('PF')]).toEqual(['steady', 'unclear', 'unclear']);
});
