// Gates in words, for every report.

import type { GateResult } from '../../model/gate.ts';
import type { Summary } from '../../model/event.ts';
import { formatDuration } from '../../text/duration.ts';

/** `pass_rate >= 90: passed, 93.3% (cases like these: 85.1% to 97.2%)`; a text for each gate, untrusted. */
export function gateTexts({ gates = [] }: Pick<Summary, 'gates'>): string[] {
  return gates.map((result) => `${result.gate}: ${gateFacts(result).join(', ')}`);
}

function gateFacts({ gate, status, figure, interval, decided, message }: GateResult): string[] {
  const between = interval === undefined ? '' : ` (cases like these: ${interval.low}% to ${interval.high}%)`;
  const measured = figure === null ? (message ?? 'not measured') : `${figureText(gate, figure)}${between}`;
  return [STATUS[status], measured, ...(decided === undefined ? [] : [DECIDED[decided]])];
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

function figureText(gate: string, figure: number): string {
  if (gate.startsWith('cost')) return `$${figure}`;
  return gate.startsWith('latency') ? formatDuration(figure) : `${figure}%`;
}
