// What the tests of hooks share: an agent and hooks that note every call.

import { folder } from './assay.ts';

/** Notes every call, and behaves as the message asks for. */
export const AGENT = `
import { appendFileSync } from 'node:fs';
export default async (messages) => {
  const [what, ms] = messages[0].content.split(' ');
  appendFileSync('calls.txt', 'agent ' + what + '\\n');
  if (what === 'throw') throw new Error('no');
  if (ms) await new Promise((done) => setTimeout(done, Number(ms)));
  if (what === 'hang') for (;;);
  return what;
};
`;

/** Notes everything; not one of the functions is exported. */
export const HOOKS = `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
const note = (text: string) => appendFileSync('calls.txt', text + '\\n');
function Before(ctx: any, testCase: any) {
  console.log('preparing ' + testCase.id);
  note('before ' + testCase.id + ' for ' + ctx.User.ID);
  return { made: 'record of ' + testCase.id };
}
async function After(ctx: any, testCase: any, result: any, data: any) {
  console.log('cleaning ' + testCase.id);
  note(['after', testCase.id, result.id, result.status, result.output, result.error, data?.made].join(' | '));
}
function Broken() { throw new Error('the database is down'); }
function Loud() {
  for (let line = 1; line <= 23; line++) console.log('step ' + line);
  throw new Error('the database is down');
}
function HangingBefore() { for (;;); }
function Flaky() {
  if (existsSync('tried')) return { made: 'at last' };
  writeFileSync('tried', '');
  throw new Error('not yet');
}
function BeforeAll(ctx: any, cases: any[]) {
  note('before all ' + cases.map((testCase) => testCase.id).join());
  return { port: 4711 };
}
function AfterAll(ctx: any, results: any[], data: any) {
  const ends = results.map((result) => result.id + ' ' + result.status).sort();
  note('after all ' + [...ends, data?.port].join());
}
async function LongAfter(ctx: any, testCase: any) {
  note('after ' + testCase.id + ' begins');
  await new Promise((done) => setTimeout(done, 50));
  note('after ' + testCase.id + ' ends');
}
async function SlowAfter() { await new Promise((done) => setTimeout(done, 300)); }
async function Crash() {
  await new Promise((done) => setTimeout(done, 100));
  process.kill(process.pid, 'SIGKILL');
}
function Exit() { process.exit(7); }
function Circle() { const circle: any = {}; circle.self = circle; return circle; }
`;

export const RUN = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'log.jsonl'];

/** An application with these cases, the agent and the hooks. */
export function application(cases: unknown[]): string {
  return folder({ 'agent.mjs': AGENT, 'src/env_test.ts': HOOKS, 'cases.jsonl': cases });
}
