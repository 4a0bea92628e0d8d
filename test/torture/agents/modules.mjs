// Runs with hostile modules: all of them in one run, each in a process of its own; or one of them beside honest neighbours.

import { kinds as answers } from './answers.mjs';
import { kinds as channel } from './channel.mjs';
import { kinds as intrinsics } from './intrinsics.mjs';
import { kinds as processes } from './processes.mjs';

export const MODULES = { ...answers, ...channel, ...intrinsics, ...processes };

/** What the code of every kind can use; `agent` sets the function that is called. */
const PRELUDE = `'use strict';
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const { writeSync } = fs;
const { stringify } = JSON;
const later = (ms) => new Promise((done) => setTimeout(done, ms));
const print = (fd, bytes) => {
  for (let at = 0; at < bytes.length; ) {
    try { at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  }
};
const send = (message) => print(3, Buffer.from(typeof message === 'string' || Buffer.isBuffer(message) ? message : stringify(message) + '\\n'));
const agent = (answer) => { module.exports = answer; };
agent(() => 'wrong');
`;

/** Answers honestly, or as the named kind does: its code is loaded when it is called. */
const DISPATCHER = `import { createRequire } from 'node:module';
const load = createRequire(process.env.ASSAY_TORTURE + '/agent.mjs');
export default (messages) => {
  const what = messages.at(-1).content;
  return what === 'honest' ? 'right' : load('./kinds/' + what + '.cjs')(messages);
};
`;

const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl', '--retries', '0'];

/** All these kinds in one run, each attempt in a process of its own, among honest cases, which must pass. */
export function isolatedRun(names) {
  const honest = ['honest 1', 'honest 2', 'honest 3', 'honest 4', 'honest 5', 'honest 6'];
  const step = Math.ceil(names.length / honest.length);
  const cases = names.flatMap((name, index) => [
    ...(index % step === 0 ? [honestCase(honest[index / step])] : []),
    hostileCase(name),
  ]);
  return {
    name: `isolated: ${names.length === 1 ? names[0] : `${names.length} modules`}`,
    files: filesFor(names, cases),
    args: [...RUN, '--isolate', '--parallel', '6', '--timeout', '2s'],
    hostile: names,
    honest: cases.map(({ id }) => id).filter((id) => honest.includes(id)),
  };
}

/** One kind in a worker that it shares with honest neighbours. They may be affected: the same code answers for them. */
export function sharedRun(name) {
  const cases = [honestCase('honest 1'), hostileCase(name), honestCase('honest 2')];
  return {
    name: `shared: ${name}`,
    files: filesFor([name], cases),
    args: [...RUN, '--parallel', '3', '--timeout', '2s'],
    hostile: [name],
    honest: [],
    shaken: ['honest 1', 'honest 2'],
    only: name,
  };
}

function filesFor(names, cases) {
  const sources = names.map((name) => [`kinds/${slug(name)}.cjs`, `${PRELUDE}${MODULES[name]}\n`]);
  return { 'agent.mjs': DISPATCHER, 'cases.jsonl': cases, ...Object.fromEntries(sources) };
}

function honestCase(id) {
  return { id, input: 'honest', expected: 'right' };
}

function hostileCase(id) {
  const asserted = { type: 'regex', value: '^right$' };
  return { id, input: slug(id), expected: 'right', assert: [asserted, { type: 'contains', value: 'right' }] };
}

function slug(name) {
  return name.replaceAll(/[^a-z0-9]+/gi, '-');
}
