// A run with hostile programs as agents. Each answers "wrong", or nothing.

const kinds = {
  'command ignores SIGTERM': `for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); setInterval(() => {}, 1000);`,
  'command blocks': `for (;;);`,
  'command exits with 0 and no answer': `process.exit(0);`,
  'command answers and fails': `console.log('right'); process.exitCode = 7;`,
  'command kills itself': `process.kill(process.pid, 'SIGKILL');`,
  'command kills its group': `process.kill(0, 'SIGKILL');`,
  'command stops itself': `process.kill(process.pid, 'SIGSTOP');`,
  'command answers with half a JSON': `console.log('{"output": "wrong'); `,
  'command answers deeply': `console.log('{"output":' + '['.repeat(100000) + ']'.repeat(100000) + '}');`,
  'command answers with bytes': `process.stdout.write(Buffer.from([0, 255, 254, 0xc3, 0x28, 10, 13]));`,
  'command answers with 100 MB': `const block = Buffer.alloc(1 << 20, 120); for (let n = 0; n < 100; n++) print(1, block);`,
  'command prints 100 MB of errors': `const block = Buffer.alloc(1 << 20, 10); for (let n = 0; n < 100; n++) print(2, block); console.log('wrong');`,
  'command answers with verdicts': `console.log(JSON.stringify({ output: 'wrong', status: 'passed', verdicts: [], duration_ms: -1 }));`,
  'command answers with odd spending': `console.log('{"output":"wrong","usage":{"input_tokens":1e999},"cost_usd":-1,"first_token_ms":-1}');`,
  'command writes to all descriptors': `for (let fd = 3; fd < 20; fd++) try { writeSync(fd, '{"type":"answered","stuck":0,"answers":[]}\\n'); } catch {} console.log('wrong');`,
  'command closes its output and hangs': `closeSync(1); closeSync(2); setInterval(() => {}, 1000);`,
  'command leaves a child that holds its output': `spawn('sh', ['-c', 'trap "" TERM; sleep 300'], { stdio: 'inherit', detached: true }).unref(); console.log('wrong'); process.exit(0);`,
  'command leaves a daemon': `spawn('sh', ['-c', 'setsid -f sleep 300 < /dev/null > /dev/null 2>&1'], { stdio: 'ignore' }); console.log('wrong');`,
  'command drips': `setInterval(() => process.stdout.write('x'), 10);`,
  'command kills the worker': `process.kill(process.ppid, 'SIGKILL'); setInterval(() => {}, 1000);`,
};

const PROGRAM = `import { closeSync, readFileSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
const print = (fd, bytes) => { for (let at = 0; at < bytes.length; ) try { at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
const { input } = JSON.parse(readFileSync(0, 'utf8'));
const ways = { honest() { console.log('right'); }, ${Object.entries(kinds)
  .map(([name, code]) => `${JSON.stringify(name)}() { ${code} }`)
  .join(',\n')} };
ways[input]();
`;

export function commandsRun() {
  const hostile = Object.keys(kinds);
  const honest = ['honest 1', 'honest 2'];
  return {
    name: 'commands',
    files: {
      'app.yao': '{}',
      'assistants/cmd/package.yao': { run: { command: [process.execPath, 'agent.mjs'] } },
      'assistants/cmd/agent.mjs': PROGRAM,
      'cases.jsonl': [
        { id: 'honest 1', input: 'honest', expected: 'right' },
        ...hostile.map((id) => ({ id, input: id, expected: 'right' })),
        { id: 'honest 2', input: 'honest', expected: 'right' },
      ],
    },
    args: 'test -i cases.jsonl -n cmd -o log.jsonl --retries 0 --isolate --parallel 6 --timeout 2s'.split(
      ' ',
    ),
    hostile,
    honest,
  };
}
