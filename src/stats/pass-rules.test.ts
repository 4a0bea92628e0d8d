import { expect, test } from 'vitest';
import { runsRule } from '../model/runs-rule.ts';
import type { Counted } from '../model/settle.ts';
import { settleCase } from '../model/settle.ts';
import { passRules } from './pass-rules.ts';

const RULE = runsRule({ runs: 'auto' });

/** Settles runs, a letter each: P passed, F failed, T timeout, U not measured, S skipped. */
function settle(letters: string, undecided: 'fail' | 'pass' = 'fail'): object {
  if (RULE === undefined) throw new Error('no rule');
  const rules = passRules({ inputs: [], runs_per_case: 20, runs_rule: { ...RULE, undecided } }, undefined);
  const runs = letters.split('').map((letter): Counted => {
    if (letter === 'U') return { status: 'error', code: 'connection' };
    return {
      status: ({ P: 'passed', F: 'failed', T: 'timeout', S: 'skipped' } as const)[letter] ?? 'passed',
    };
  });
  const { status, unmeasured, undecided: isUndecided, pass_rate } = settleCase(runs, rules('t').passRule);
  return { status, unmeasured, isUndecided, rate: pass_rate === null ? null : Math.round(pass_rate) };
}

test.each([
  ['PPPPPPPPP', 'fail', { status: 'passed', rate: 100 }],
  ['PFPPPPPPPPPPPPPPP', 'fail', { status: 'passed', rate: 89 }],
  ['TFF', 'fail', { status: 'failed', rate: 0 }],
  ['TTT', 'fail', { status: 'timeout', rate: 0 }],
  ['PPPPFPPPPPFPPPPFPPPF', 'fail', { status: 'failed', isUndecided: true, rate: 81 }],
  ['PPPPFPPPPPFPPPPFPPPF', 'pass', { status: 'passed', isUndecided: true, rate: 81 }],
  ['PPPP', 'fail', { status: 'skipped', rate: 100 }],
  ['PPPPS', 'fail', { status: 'skipped', rate: 100 }],
  ['U'.repeat(20), 'fail', { status: 'error', unmeasured: true, rate: null }],
] as const)('%s with undecided %s', (letters, undecided, expected) => {
  expect(settle(letters, undecided)).toEqual({ unmeasured: false, isUndecided: undefined, ...expected });
});

test('a test with a number of runs of its own keeps it', () => {
  if (RULE === undefined) throw new Error('no rule');
  const inputs = [
    { type: 'message' as const, message: 'hi', agent_id: 'a', agent_sha256: 'b', test_id: 'fixed', runs: 2 },
  ];
  const rules = passRules({ inputs, runs_per_case: 20, runs_rule: RULE }, undefined);
  expect([rules('fixed'), typeof rules('other').passRule]).toEqual([
    { runs: 2, passRule: undefined },
    'object',
  ]);
});

test('the zone is 10 points on each side, and ends before 0 and 100', () => {
  const zone = (target: number): unknown[] => {
    const { low, high } = runsRule({ runs: 'auto', target }) ?? {};
    return [low, high];
  };
  expect([80, 90, 96, 8, 50].map(zone)).toEqual([
    [0.7, 0.9],
    [0.8, 0.95],
    [0.86, 0.98],
    [0.04, 0.18],
    [0.4, 0.6],
  ]);
});
