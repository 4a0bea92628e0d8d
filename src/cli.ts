#!/usr/bin/env node
// argv → command → exit code. The only caller of process.exit.

import packageJson from '../package.json' with { type: 'json' };

const argv = process.argv.slice(2);
if (argv[0] === '--version') {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  // A worker process takes as long to start as the rest of this program, so it starts first.
  const worker = wantsWorker()
    ? (await import('./execute/early-worker.ts')).startEarly(workerRole())
    : undefined;
  const { main } = await import('./commands/main.ts');
  const exit = process.exit.bind(process);
  exit(await main(argv, { version: packageJson.version, worker, exit }));
}

function wantsWorker(): boolean {
  const never = ['-h', '--help', '--dry-run'];
  return argv[0] === 'test' && !argv.some((arg) => never.includes(arg));
}

/** A run may need both kinds; the first input tells which one first. */
function workerRole(): 'agents' | 'scripts' {
  const first = argv.find((_, index) => argv[index - 1] === '-i' || argv[index - 1] === '--input');
  return first !== undefined && /^scripts\.(?!.*\.(?:jsonl|ndjson)$)/.test(first) ? 'scripts' : 'agents';
}
