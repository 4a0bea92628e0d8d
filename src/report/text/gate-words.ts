// Gates in words, for every report.

import type { GateResult } from '../../model/gate.ts';
import type { Summary } from '../../model/event.ts';
import { scoreText } from './score-words.ts';
import { formatDuration } from '../../text/duration.ts';

/** `pass_rate >= 90: passed, 93.3% (cases like these: 85.1% to 97.2%)`; a text for each gate, untrusted. */
export function gateTexts({ gates = [] }: Pick<Summary, 'gates'>): string[] {
  return gates.map((result) => `${result.gate}: ${gateFacts(result).join(', ')}`);
}

function gateFacts(result: GateResult): string[] {
  const { status, figure, interval, decided, message } = result;
  const text = (value: number): string => figureText(result, value);
  const between =
    interval === undefined ? '' : ` (cases like these: ${text(interval.low)} to ${text(interval.high)})`;
  const measured = figure === null ? [] : [`${text(figure)}${between}`];
  const about = message ?? (figure === null ? 'not measured' : undefined);
  return [
    STATUS[status],
    ...measured,
    ...(about === undefined ? [] : [about]),
    ...(decided === undefined ? [] : [DECIDED[decided]]),
  ];
}

const STATUS: Record<GateResult['status'], string> = {
  failed: 'failed',
  passed: 'passed',
  undecided: 'undecided',
  unmeasured: 'could not be measured',
};

const DECIDED: Record<'certain' | 'likely', string> = {
  certain: 'stopped early because the answer cannot change',
  likely: 'stopped early, wrong at most 1 time in 40',
};

function figureText({ gate, metric }: GateResult, figure: number): string {
  if (metric !== undefined) return scoreText(figure);
  if (gate.startsWith('cost')) return `$${figure}`;
  return gate.startsWith('latency') ? formatDuration(figure) : `${figure}%`;
}
