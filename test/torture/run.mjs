// npm run torture [-- --short | --long] [--seed 1] [--round agents,kills,double-starts,fuzz] [--only kind] [--index n]
// Hostile agents, kills, double starts and damaged files, with a checker behind each. --short takes half a minute and is part of
// `npm test`; --long has 1,000 kills and 200,000 damaged inputs. The same seed makes the same choices.

import { parseArgs } from 'node:util';
import { agentsRound } from './agents.mjs';
import { doubleStartsRound } from './double-starts.mjs';
import { fuzzRound } from './fuzz.mjs';
import { killsRound } from './kills.mjs';
import { randomFrom } from './random.mjs';

const SIZES = {
  short: { modules: 45, shared: 2, kills: 6, cases: 120, starts: 4, inputs: 1000, live: 6 },
  middle: { modules: 999, shared: 40, kills: 200, cases: 400, starts: 20, inputs: 20_000, live: 100 },
  long: { modules: 999, shared: 999, kills: 1000, cases: 400, starts: 100, inputs: 200_000, live: 500 },
};
/** More are only counted: one cause often has many. */
const MAX_TOLD = 30;

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    seed: { type: 'string', default: process.env.TORTURE_SEED ?? '1' },
    round: { type: 'string' },
    only: { type: 'string' },
    index: { type: 'string' },
    kills: { type: 'string' },
    inputs: { type: 'string' },
    live: { type: 'string' },
    shared: { type: 'string' },
  },
});
const name = values.short ? 'short' : values.long ? 'long' : 'middle';
const size = { ...SIZES[name] };
for (const field of ['kills', 'inputs', 'live', 'shared'])
  if (values[field] !== undefined) size[field] = Number(values[field]);
const seed = Number(values.seed);
const only = values.only;

const ROUNDS = {
  agents: (setting) => agentsRound({ ...setting, ...size, only }),
  'double-starts': (setting) => doubleStartsRound({ ...setting, rounds: size.starts }),
  kills: (setting) => killsRound({ ...setting, kills: size.kills, cases: size.cases }),
  fuzz: (setting) =>
    fuzzRound({
      ...setting,
      seed,
      inputs: size.inputs,
      live: size.live,
      index: values.index === undefined ? undefined : Number(values.index),
    }),
};

const rounds = values.round?.split(',') ?? (only === undefined ? Object.keys(ROUNDS) : ['agents']);
const unknown = rounds.filter((round) => !Object.hasOwn(ROUNDS, round));
if (unknown.length > 0) {
  console.error(`unknown round ${unknown.join(', ')}; there is ${Object.keys(ROUNDS).join(', ')}`);
  process.exit(2);
}

let failures = 0;
console.log(`torture ${name}, seed ${seed}`);
for (const round of rounds) {
  const began = performance.now();
  const before = failures;
  const figures = await ROUNDS[round]({ random: randomFrom(seed), report: report(round), progress });
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  console.log(`${round}: ${JSON.stringify(figures)} in ${seconds} s, ${failures - before} failures`);
}
console.log(failures === 0 ? 'everything held' : `${failures} failures`);
process.exit(failures === 0 ? 0 : 1);

/** Prints a failure with the command that shows it again. */
function report(round) {
  return ({ kind, problem, folder, index, only: part }) => {
    failures += 1;
    if (failures > MAX_TOLD) return;
    const again = [`--round ${round}`, `--seed ${seed}`, name === 'middle' ? '' : `--${name}`];
    if (index !== undefined) again.push(`--index ${index}`);
    if (part !== undefined) again.push(`--only '${part}'`);
    console.error(`\nFAILED ${kind}: ${problem}`);
    if (folder !== undefined) console.error(`  folder: ${folder}`);
    console.error(`  again: npm run torture -- ${again.filter((word) => word !== '').join(' ')}`);
  };
}

function progress(text) {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text}`);
}
