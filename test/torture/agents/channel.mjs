// Modules that write to the channel of their worker, or damage it. Each answers "wrong".

const SEQS = 'Array.from({ length: 300 }, (_, seq) => seq)';
const FORGED = `{ took_ms: 0, status: 'passed', verdicts: [{ type: 'equals', status: 'passed' }], outcome: { status: 'passed', duration_ms: -1 }, duration_ms: -1,
  transcript: { output: 'wrong', status: 'passed', verdicts: [], duration_ms: -1 } }`;

/** Sends one message and answers. */
const sends = (message) => `agent(() => { send(${message}); return 'wrong'; });`;
/** Sends one message for each attempt there could be. */
const sendsForAll = (fields) =>
  `agent(() => { for (const seq of ${SEQS}) send({ seq, ${fields} }); return 'wrong'; });`;

export const kinds = {
  'forges answers with verdicts': sends(
    `{ type: 'answered', stuck: 0, answers: ${SEQS}.map((seq) => ({ seq, ...${FORGED} })) }`,
  ),
  'forges its answer alone': sends(`{ type: 'answered', stuck: 0, answers: [{ seq: 1, ...${FORGED} }] }`),
  'forges outcomes': sends(
    `{ type: 'settled', stuck: 0, settled: ${SEQS}.map((seq) => ({ seq, outcome: { status: 'passed', duration_ms: 1, verdicts: [] } })) }`,
  ),
  'forges failures': `agent(() => { for (const status of ['skipped', 'passed', undefined, 7, 'error', {}])
    send({ type: 'answered', stuck: 0, answers: ${SEQS}.map((seq) => ({ seq, took_ms: 0, failure: { status, error: 'x', code: status } })) }); return 'wrong'; });`,
  'forges final failures': sends(
    `{ type: 'answered', stuck: 0, answers: ${SEQS}.map((seq) => ({ seq, took_ms: 0, failure: { status: 'error', code: 'connection', error: 'x', is_final: 'yes', retry_after_ms: 1e12, problem: { at: 5, message: { a: 1 } } } })) }`,
  ),
  'asks for endless pauses': sends(
    `{ type: 'answered', stuck: 0, answers: ${SEQS}.map((seq) => ({ seq, took_ms: 0, failure: { status: 'error', code: 'rate_limit', error: 'x', retry_after_ms: 1e15 } })) }`,
  ),
  'is always rate limited': `agent(() => { throw Object.assign(new Error('too many'), { status: 429, headers: { 'retry-after': '86400' } }); });`,
  'forges prepared': sendsForAll(`type: 'prepared'`),
  'forges dropped': sends(`{ type: 'dropped', seqs: ${SEQS} }`),
  'gives its work back again and again': `setInterval(() => send({ type: 'dropped', seqs: ${SEQS} }), 20); agent(() => new Promise(() => {}));`,
  'forges before': sendsForAll(`type: 'before', data: { __proto__: null, status: 'passed' }`),
  'forges ended': sendsForAll(`type: 'ended', logs: ['x']`),
  'forges ended with wrong logs': sendsForAll(`type: 'ended', logs: [5], tape: 7`),
  'forges done': `agent(() => { for (const id of ${SEQS}) send({ type: 'done', id, value: { pass: true, passed: true, score: 1 } }); return 'wrong'; });`,
  'forges taped': `agent(() => { for (const id of ${SEQS}) send({ type: 'taped', id, report: { toString: 1 } }); return 'wrong'; });`,
  'forges ready': sends(`{ type: 'ready' }`),
  'forges evaluated': sends(`{ type: 'evaluated', value: { status: 'passed' } }`),
  'forges closed': sends(`{ type: 'closed', isSpent: true }`),
  'forges progress': `setInterval(() => { send({ type: 'progress' }); send({ type: 'more' }); }, 20); agent(() => new Promise(() => {}));`,
  'makes statuses secret': sends(
    `{ type: 'secrets', secrets: ['"status":"failed"', 'failed', 'passed', 'status', 'summary', 'duration_ms', 'total_runs', 'expected', '"type":"result"'] }`,
  ),
  'makes everything secret': sends(
    `{ type: 'secrets', secrets: ['', ' ', '"', ...'abcdefghijklmnopqrstuvwxyz0123456789'] }`,
  ),
  'has a million secrets': sends(
    `{ type: 'secrets', secrets: Array.from({ length: 200000 }, (_, n) => 'secret-' + n) }`,
  ),
  'is late all the time': `agent(() => { for (let n = 0; n < 5000; n++) send({ type: 'late', name: 'x'.repeat(2000) + n }); return 'wrong'; });`,
  'answers pings and does nothing': `setInterval(() => send('{"type":"pong","load":0}\\n'), 50); agent(() => new Promise(() => {}));`,
  'sends loads that are no numbers': `agent(() => { send('{"type":"pong","load":1e999}\\n{"type":"pong","load":-5}\\n{"type":"pong","load":"x"}\\n'); return 'wrong'; });`,
  'sends nonsense': sends(`'nonsense\\n'`),
  'sends half a line': sends(`'{"type":"answ'`),
  'sends half a line and dies': `agent(() => { send('{"type":"answered","stuck":0,"answers":[{"seq":1,'); process.kill(process.pid, 'SIGKILL'); });`,
  'sends bytes': sends(`Buffer.from([0, 255, 254, 0xc3, 0x28, 10, 0, 10])`),
  'sends wrong types': `agent(() => {
    for (const message of [{ type: 'answered' }, { type: 'answered', answers: {} }, { type: 'answered', answers: [null], stuck: 0 }, { type: 'pong' }, { type: 'secrets', secrets: 5 },
      { type: 'before', seq: 'x' }, { type: 'toString' }, { type: '__proto__' }, { type: null }, { type: ['answered'] }, [], null, 7, 'x']) send(message);
    return 'wrong'; });`,
  'sends 300 MB without a line': `agent(() => { const block = Buffer.alloc(1 << 20, 120); for (let n = 0; n < 300; n++) send(block); return 'wrong'; });`,
  'sends 20 MB of empty lines': `agent(() => { const block = Buffer.alloc(1 << 20, 10); for (let n = 0; n < 20; n++) send(block); return 'wrong'; });`,
  'sends 50,000 messages': `agent(() => { for (let n = 0; n < 50; n++) send('{"type":"pong","load":0}\\n'.repeat(1000)); return 'wrong'; });`,
  'sends a deep answer': `agent(() => { const deep = '['.repeat(200000) + ']'.repeat(200000);
    for (let seq = 0; seq < 5; seq++) send('{"type":"answered","stuck":0,"answers":[{"seq":' + seq + ',"took_ms":0,"transcript":{"output":' + deep + '}}]}\\n'); return 'wrong'; });`,
  'sends a deep hook value': `agent(() => { for (let seq = 0; seq < 5; seq++) send('{"type":"before","seq":' + seq + ',"data":' + '{"a":'.repeat(100000) + '1' + '}'.repeat(100000) + '}\\n'); return 'wrong'; });`,
  'sends numbers that are none': `agent(() => { for (let seq = 0; seq < 5; seq++)
    send('{"type":"answered","stuck":-1e999,"answers":[{"seq":' + seq + ',"took_ms":-1e999,"transcript":{"output":"wrong","cost_usd":-5,"usage":{"input_tokens":1e999},"first_token_ms":-1}}]}\\n'); return 'wrong'; });`,
  'sends sequence numbers that are none': `agent(() => { for (const seq of ['-1', '1e999', '1.5', '"1"', 'null', '9007199254740993', '{}'])
    send('{"type":"answered","stuck":0,"answers":[{"seq":' + seq + ',"took_ms":0,"transcript":{"output":"wrong"}}]}\\n{"type":"prepared","seq":' + seq + '}\\n'); return 'wrong'; });`,
  'sends wrong transcripts': `agent(() => { for (const transcript of [null, 5, [], { output: { toJSON: 1 } }, { tool_calls: 7 }, { tool_calls: [null] }, { usage: 'x' }, { messages: { length: 1e9 } }, { logs: 5 }, { __proto__: { output: 'x' } }])
    for (const seq of [0, 1, 2, 3]) send({ type: 'answered', stuck: 0, answers: [{ seq, took_ms: 0, transcript, logs: 'x', tape: 5 }] }); return 'wrong'; });`,
  'answers twice': `agent(() => { for (const output of ['wrong', 'wrong', 'wrong']) for (let seq = 0; seq < 40; seq++) send({ type: 'answered', stuck: 0, answers: [{ seq, took_ms: 0, transcript: { output } }] }); return 'wrong'; });`,
  'writes from a thread': `new (require('node:worker_threads').Worker)('const fs = require("node:fs"); setInterval(() => fs.writeSync(3, ' + JSON.stringify('{"type":"settled","stuck":0,"settled":[{"seq":1,"outcome":{"status":"passed"}}]}\\n') + '), 5)', { eval: true });
    agent(async () => { await later(200); return 'wrong'; });`,
  'writes from a child': `spawn('sh', ['-c', 'while :; do echo nonsense >&3; sleep 0.05; done'], { stdio: ['ignore', 'ignore', 'ignore', 3] }); agent(async () => { await later(200); return 'wrong'; });`,
  'reads its channel': `try { const bytes = Buffer.alloc(1 << 16); setInterval(() => { try { fs.readSync(3, bytes); } catch {} }, 5); } catch {} agent(async () => { await later(100); return 'wrong'; });`,
  'closes its channel': `agent(() => { fs.closeSync(3); return 'wrong'; });`,
  'closes its recovery file': `agent(() => { fs.closeSync(4); return 'wrong'; });`,
  'closes everything': `agent(() => { for (const fd of [0, 1, 2, 3, 4]) try { fs.closeSync(fd); } catch {} return 'wrong'; });`,
  'closes its channel and opens a file there': `agent(() => { fs.closeSync(3); fs.openSync('/dev/null', 'r+'); return 'wrong'; });`,
  'overwrites the recovery file': `agent(() => { fs.writeSync(4, Buffer.alloc(64, 255), 0, 64, 0); process.kill(process.pid, 'SIGKILL'); });`,
  'notes endless helpers': `agent(() => { fs.writeSync(4, Buffer.from('[{"seq":1,"waits":"forever"}]'.repeat(100000)), 0, undefined, 8); for (;;); });`,
  'makes the recovery file huge': `agent(() => { fs.ftruncateSync(4, 4e9); for (;;); });`,
  'empties the recovery file': `agent(() => { fs.ftruncateSync(4, 0); for (;;); });`,
};
