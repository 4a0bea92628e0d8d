// A log for tests: a suite of two tests with a matrix of two variables.

import type { LoggedInput, ResultEvent, RunEvent } from '../model/event.ts';
import { resultEvent, startEvent, summaryEvent } from './sample-log.ts';

const CONFIGURATIONS = ['a', 'b'] as const;
const TEMPERATURES = [0, 0.7] as const;

function inputOf(test: string): LoggedInput {
  const rest = { sha256: 'aa', agent_id: 'keyword', agent_sha256: 'bb' };
  return { type: 'cases', path: `tests/${test}.test.json`, ...rest, test, test_id: test };
}

function greetingInput(AIConfiguration: string, Temperature: number): LoggedInput {
  return {
    ...inputOf('greeting'),
    resolved_variables: {
      values: { AIConfiguration, Temperature, Language: 'en' },
      sources: { AIConfiguration: 'run', Temperature: 'run', Language: 'suite' },
    },
  };
}

/** It runs twice, and keeps temperature and language for itself. */
function toneInput(AIConfiguration: string): LoggedInput {
  return {
    ...inputOf('tone'),
    runs: 2,
    resolved_variables: {
      values: { AIConfiguration, Temperature: 0.3, Language: 'fr' },
      sources: { AIConfiguration: 'run', Temperature: 'test', Language: 'test' },
    },
  };
}

function greeting(
  id: string,
  AIConfiguration: string,
  Temperature: number,
  fields: Partial<ResultEvent> = {},
): ResultEvent {
  return resultEvent(id, {
    key: `${id}-${AIConfiguration}-${Temperature}`,
    test_id: 'greeting',
    variables: { AIConfiguration, Temperature, Language: 'en' },
    duration_ms: 10,
    ...fields,
  });
}

function polite(AIConfiguration: string, run: number, fields: Partial<ResultEvent> = {}): ResultEvent {
  return resultEvent('polite', {
    key: `polite-${AIConfiguration}-${run}`,
    test_id: 'tone',
    run,
    variables: { AIConfiguration, Temperature: 0.3, Language: 'fr' },
    duration_ms: 20,
    ...fields,
  });
}

/** T002 of `greeting` fails for configuration b only; its T001 cannot be measured once; `tone` passes once of two runs. */
export function matrixRun(): RunEvent[] {
  const skipped = { status: 'skipped', reason: 'skip', duration_ms: 0 } as const;
  return [
    startEvent({
      suite: 'nightly',
      matrix: { AIConfiguration: [...CONFIGURATIONS], Temperature: [...TEMPERATURES] },
      total_cases: 10,
      resolved_variables: { values: { Language: 'en' }, sources: { Language: 'suite' } },
      inputs: [
        ...CONFIGURATIONS.flatMap((configuration) =>
          TEMPERATURES.map((temperature) => greetingInput(configuration, temperature)),
        ),
        ...CONFIGURATIONS.map(toneInput),
      ],
    }),
    greeting('T001', 'a', 0),
    greeting('T002', 'a', 0),
    greeting('T001', 'a', 0.7, { duration_ms: 15 }),
    polite('a', 1),
    greeting('T002', 'a', 0.7),
    greeting('T001', 'b', 0, { duration_ms: 30 }),
    greeting('T002', 'b', 0, { status: 'failed', error: 'no answer' }),
    greeting('T001', 'b', 0.7, { status: 'error', code: 'connection', error: 'ECONNREFUSED' }),
    polite('a', 2, { status: 'failed', error: 'rude' }),
    greeting('T002', 'b', 0.7, { status: 'timeout', error: 'timeout after 1s', duration_ms: 1000 }),
    polite('b', 1, skipped),
    polite('b', 2, skipped),
    summaryEvent({
      exit_code: 1,
      total: 10,
      passed: 5,
      failed: 4,
      skipped: 1,
      errors: 1,
      timeouts: 1,
      total_runs: 10,
      overall_pass_rate: 68.8,
      stable_cases: 5,
      unstable_cases: 4,
    }),
  ];
}
