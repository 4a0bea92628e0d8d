// In a worker: intercepts the traffic of user code and opens the tape of every attempt.

import { join } from 'node:path';
import { ConfigError, messageOf } from '../errors.ts';
import { isApiKeyName, keylessEnv } from '../secrets/keyless-env.ts';
import { compileReplacement } from '../platform/regex.ts';
import type { TapeMode } from './attempt-tape.ts';
import { TrafficSecrets } from './attempt-secrets.ts';
import { AttemptTape } from './attempt-tape.ts';
import { watchConnections } from './connections.ts';
import { installFetch } from './fetch.ts';
import { installNodeHttp } from './node-http.ts';
import { isShared } from './match.ts';
import type { Normalizer, TapeRules } from './normalize.ts';
import { createNormalizer } from './normalize.ts';
import type { Exchange, TapedRequest, TapedRun, TapeFile } from './tape-file.ts';
import { readTape, tapesIn } from './tape-file.ts';

/** The tape settings that workers get. */
export type TapeSettings = {
  mode: TapeMode;
  /** The folder of tapes. */
  folder: string;
  /** Speed factor of the replay; undefined means without delays. */
  speed?: number;
  rules: TapeRules & { allow?: string[] };
};

export type OpenTape = (attempt: {
  tape?: string;
  run: number;
  subject: { id: string };
  by?: 'judge';
}) => AttemptTape;

/** Size of the tape cache; the runs of a case follow each other. */
const KEPT = 16;

/** Call it before any user code is loaded. */
export function installTapes(
  { mode, folder, speed, rules }: TapeSettings,
  { learn, reportLate }: { learn(secrets: string[]): void; reportLate(name: string): void },
): OpenTape {
  // Libraries refuse to start without a key, even if it is never used.
  if (mode === 'replay') process.env = keylessEnv(process.env, isApiKeyName);
  installNodeHttp();
  installFetch();
  watchConnections();
  const normalizer = createNormalizer(rules, compileReplacement);
  const { allow = [] } = rules;
  const allowed = (address: string): boolean =>
    allow.some((one) => one === address || one === address.replace(/:\d+$/, ''));
  const read = cacheTapes(folder);
  const learnOnce = onlyNew(learn);
  const traffic = new TrafficSecrets();
  const elsewhere = sharedRecordings(folder, normalizer);
  return ({ tape = '', run, subject, by }) => {
    const found = mode === 'record' ? {} : findRun(read(tape), { run, tape, agent: subject.id });
    const options = {
      by,
      run,
      normalizer,
      speed,
      allowed,
      elsewhere,
      learn: learnOnce,
      traffic,
      reportLate,
      absence: '',
      recorded: undefined,
      ...found,
    };
    // A tape that cannot be read must not be overwritten.
    return new AttemptTape({ ...options, mode: 'isBroken' in found && found.isBroken ? 'replay' : mode });
  };
}

/** Passes each secret on once. */
function onlyNew(learn: (secrets: string[]) => void): (secrets: string[]) => void {
  const known = new Set<string>();
  return (secrets) => {
    const more = secrets.filter((secret) => !known.has(secret));
    for (const secret of more) known.add(secret);
    if (more.length > 0) learn(more);
  };
}

/** Recordings of shared requests in all tapes, by normalised request; read on first use. */
function sharedRecordings(
  folder: string,
  { normal }: Normalizer,
): (request: TapedRequest) => Exchange | undefined {
  let known: Map<string, Exchange> | undefined;
  const collect = (): Map<string, Exchange> => {
    const found = new Map<string, Exchange>();
    for (const file of tapesIn(folder)) {
      const tape = readSafely(join(folder, file));
      const exchanges =
        tape === undefined || 'problem' in tape ? [] : tape.runs.flatMap((run) => run.exchanges);
      for (const exchange of exchanges)
        if (exchange.response !== undefined && isShared(exchange.request))
          found.set(normal(exchange.request), exchange);
    }
    return found;
  };
  return (request) => (known ??= collect()).get(normal(request));
}

type Read = TapeFile | { problem: string } | undefined;

function cacheTapes(folder: string): (tape: string) => Read {
  const known = new Map<string, Read>();
  return (tape) => {
    if (known.has(tape)) return known.get(tape);
    const read = readSafely(join(folder, tape));
    for (const oldest of known.keys()) {
      if (known.size < KEPT) break;
      known.delete(oldest);
    }
    known.set(tape, read);
    return read;
  };
}

function readSafely(file: string): Read {
  try {
    return readTape(file);
  } catch (error) {
    const [problem] = error instanceof ConfigError ? error.problems : [];
    return { problem: problem?.message ?? messageOf(error) };
  }
}

type FoundRun = { recorded?: TapedRun; absence: string; isBroken?: boolean };

function findRun(read: Read, { run, tape, agent }: { run: number; tape: string; agent: string }): FoundRun {
  if (read === undefined) return { absence: `the case was never recorded (there is no ${tape})` };
  if ('problem' in read) return { absence: `${read.problem} (${tape})`, isBroken: true };
  const recorded = read.runs.find((one) => one.run === run);
  const other =
    read.agent === undefined || read.agent === agent ? '' : ` (it was recorded with ${read.agent})`;
  if (recorded !== undefined) return { recorded, absence: other };
  const count = read.runs.length;
  const runs = `${String(count)} run${count === 1 ? '' : 's'}`;
  return {
    absence: `${tape} has ${runs} of the case and not run ${String(run)}; record with --runs ${String(run)} or more`,
  };
}
