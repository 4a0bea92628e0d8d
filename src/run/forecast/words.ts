// A forecast in the words of the terminal.

import { counted } from '../../report/text/run-words.ts';
import { dollars } from '../../report/text/spending-text.ts';
import { groupDigits } from '../../text/group-digits.ts';
import type { Forecast, GateForecast, PlannedBaseline } from './forecast.ts';

/** Below this chance a gate is hardly a gate. */
const RARE = 0.2;
/** A drop of so many points is that of everything. */
const TOTAL = 99.5;

type Rounds = {
  /** The most rounds of a comparison that stops when its answer is known. */
  mostRounds?: number | undefined;
  /** The forecast is of all rounds, because the user says how many. */
  isRunsGiven?: boolean;
  /** How many fresh runs a case that fails has; true: as many as the baseline asks for. */
  fresh?: number | true | undefined;
};

export type WordOptions = Rounds & {
  /** `case`, `test` or `skill`. */
  noun: string;
  /** What the user calls the baseline. */
  against: string | undefined;
  minPassRate: number | undefined;
  budget: number | undefined;
};

/** One sentence or two on each line. */
export function forecastText(forecast: Forecast, options: WordOptions): string {
  const lines = [
    sizeLine(forecast, options.noun),
    roundsLine(options),
    budgetLine(forecast, options.budget),
    detectionLine(forecast, options.against),
    marginLine(forecast),
    gateLine(forecast, options.minPassRate),
  ];
  return lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('');
}

function sizeLine(forecast: Forecast, noun: string): string {
  const { cases, runs, attempts, attempts_range: range, history, cost, time } = forecast;
  if (attempts === 0) return 'Nothing is left to run.';
  const isUniform = runs !== 'auto' && attempts === cases * runs;
  const times = isUniform ? ` × ${counted(runs, 'run')} = ` : runs === 'auto' ? ', about ' : ', ';
  const between =
    range === undefined
      ? ''
      : ` (${groupDigits(range.low)} to ${groupDigits(range.high)}, by what they show)`;
  const size = `${counted(cases, noun)}${times}${counted(attempts, 'attempt')}${between}`;
  if (time === null)
    return `${size}. No run in the history has ${cases === 1 ? `this ${noun}` : `one of these ${noun}s`}, so that cost and time are not known.`;
  const facts = [costText(cost), timeRange(time.low_ms, time.high_ms)].filter((fact) => fact !== '');
  const unknown = cases - history.known_cases;
  const news = unknown > 0 ? `; ${counted(unknown, noun)} ${unknown === 1 ? 'is' : 'are'} new` : '';
  return `${size}, ${facts.join(' and ')} (from ${counted(history.runs, 'earlier run')}${news})`;
}

function roundsLine({ mostRounds: most, isRunsGiven, fresh }: Rounds): string | undefined {
  if (most === undefined) return undefined;
  const known = 'With --against the run stops when the answer is known';
  const rounds =
    most === 1
      ? 'That is one round, which --against compares.'
      : isRunsGiven === true
        ? `That is the most. ${known}.`
        : `That is one round. ${known}, after ${groupDigits(most)} rounds at most; --runs sets another limit.`;
  if (fresh === undefined) return rounds;
  const count = fresh === true ? '3 or 5 fresh runs' : counted(fresh, 'fresh run');
  return `${rounds}\n--confirm comes on top: at most ${count} of each case that fails.`;
}

function costText(cost: Forecast['cost']): string {
  if (cost === null) return '';
  const { usd, at_least } = cost;
  if (usd === 0 && at_least) return 'at a price that is not known';
  return `${at_least ? 'at least' : 'about'} ${about(usd)}`;
}

/** No more digits than a forecast is worth. */
function about(usd: number): string {
  if (usd >= 100) return `$${groupDigits(Math.round(usd))}`;
  return usd >= 0.1 ? `$${usd.toFixed(2)}` : dollars(Number(usd.toPrecision(2)));
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `6 to 8 minutes`: outwards, in the unit of the longer time. */
export function timeRange(lowMs: number, highMs: number): string {
  if (highMs < SECOND) return 'less than a second';
  const [unit, name, step] =
    highMs >= 2 * HOUR
      ? [HOUR, 'hour', 0.5]
      : highMs >= 2 * MINUTE
        ? [MINUTE, 'minute', 1]
        : [SECOND, 'second', 1];
  const low = Math.floor(lowMs / unit / step) * step;
  const high = Math.ceil(highMs / unit / step) * step;
  if (low === 0) return `up to ${groupDigits(high)} ${name}${high === 1 ? '' : 's'}`;
  return `${groupDigits(low)} to ${groupDigits(high)} ${name}s`;
}

function budgetLine({ cost, attempts }: Forecast, budget: number | undefined): string | undefined {
  if (budget === undefined || cost === null || cost.high_usd <= budget) return undefined;
  const reached = Math.floor((attempts * budget) / Math.max(cost.usd, Number.MIN_VALUE));
  if (reached >= attempts) return `The budget of ${about(budget)} may just be enough.`;
  return `The budget of ${about(budget)} would stop it after about ${counted(reached, 'attempt')}.`;
}

function detectionLine(
  { baseline, detectable, noise }: Forecast,
  against: string | undefined,
): string | undefined {
  if (baseline === null || detectable === null) return undefined;
  const { spread, broken, by_runs } = detectable;
  if (isBlind(detectable))
    return `${counted(baseline.cases, 'case')} ${baseline.cases === 1 ? 'is' : 'are'} too few to show a drop of the pass rate.`;
  const isPossible = broken <= baseline.cases;
  const shown =
    spread >= TOTAL ? 'no drop but a total failure' : `a drop of ${points(spread)} or more (4 chances in 5)`;
  const orBroken = isPossible ? `, or ${counted(broken, 'broken case')}` : '';
  const others = by_runs.map(
    ({ runs, spread: drop }) => `${runs === 1 ? '1 run' : String(runs)}: ${short(drop)}`,
  );
  const why = noise?.assumed === true ? `\n${ASSUMED}` : '';
  return `Against ${baselineText(baseline, against)} this shows ${shown}${orBroken}.   ${others.join(' · ')}${why}`;
}

/** True if only a total failure would be seen, with any of the shown numbers of runs. */
function isBlind({ by_runs }: NonNullable<Forecast['detectable']>): boolean {
  return by_runs.every(({ spread }) => spread >= TOTAL);
}

const ASSUMED = 'No case has run twice so far, so that the usual noise of agents is assumed.';

function baselineText(
  { source, runs, cases, missing_cases: missing }: PlannedBaseline,
  against: string | undefined,
): string {
  const size = counted(runs, 'run');
  const part =
    missing > 0 ? `, which ${runs === 1 ? 'has' : 'have'} ${groupDigits(cases)} of the cases,` : '';
  if (source === 'same_size') return 'a baseline of the same size';
  if (source === 'named') return `the baseline ${against ?? ''} of ${size}${part.replace('have', 'has')}`;
  return `the ${size === '1 run' ? 'run' : size} of the newest version in the history${part}`;
}

function marginLine({ margin, recommended, runs, detectable, cost }: Forecast): string | undefined {
  if (detectable === null || isBlind(detectable)) return undefined;
  const wanted = `For a margin of ${points(margin)}`;
  if (recommended === null)
    return `${wanted} not even 100 runs are enough: it takes more cases, or a baseline with more runs.`;
  const { runs: fewest, cost_usd } = recommended;
  const price = cost_usd === null ? '' : `: ${cost?.at_least === true ? 'at least ' : ''}${about(cost_usd)}`;
  const text =
    runs === fewest
      ? `${wanted} ${fewest === 1 ? '1 run is enough' : `it takes these ${String(fewest)} runs`}.`
      : runs !== 'auto' && fewest > runs
        ? `${wanted} it takes ${counted(fewest, 'run')}${price}.`
        : `${wanted} ${fewest === 1 ? '1 run is' : `${String(fewest)} runs are`} enough${price}.`;
  const isFew = fewest <= 2 || runs === 1;
  return isFew ? `${text} With 1 run a single broken case is only a suspect (--confirm).` : text;
}

function gateLine({ gate, runs, cases }: Forecast, minPassRate: number | undefined): string | undefined {
  if (gate === null || runs === 'auto' || gate.chance >= RARE) return undefined;
  const { passes_needed: needed, never_passed: never, suggested_pass_rate: rate } = gate;
  const each = cases === 1 ? 'the case' : `each of the ${groupDigits(cases)} cases`;
  const all = needed === runs ? `all ${String(runs)} runs` : `${String(needed)} of ${String(runs)} runs`;
  const rule =
    minPassRate !== undefined && needed === runs && runs > 1
      ? ` (${String(minPassRate)} % of ${String(runs)} is all of them)`
      : '';
  const hopeless =
    never === 0 ? '' : ` ${counted(never, 'case')} ${never === 1 ? 'has' : 'have'} never passed.`;
  return (
    `At the rates so far this run passes ${inHundred(gate)}: ${each} must pass${runs === 1 ? '' : ` ${all}`}${rule}.${hopeless}\n` +
    `Better: a gate on the whole, --gate "pass_rate >= ${String(rate)}".`
  );
}

function inHundred({ chance }: GateForecast): string {
  const times = Math.round(100 * chance);
  if (times === 0) return 'less than once in 100';
  return times === 1 ? 'once in 100' : `${String(times)} times in 100`;
}

function points(value: number): string {
  return `${short(value)} point${short(value) === '1' ? '' : 's'}`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
