#!/usr/bin/env node
// argv → verb → exit code.

import packageJson from '../package.json' with { type: 'json' };

// Or any process of this user could open the debugger of Node in this one, and change verdicts with it.
process.on('SIGUSR1', () => undefined);
const argv = process.argv.slice(2);
if (argv[0] === '--version') {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  // A worker process takes as long to start as the rest of this program, so it starts first.
  const role = wantsWorker() ? workerRole() : undefined;
  const worker =
    role === undefined ? undefined : (await import('./execute/process/early-worker.ts')).startEarly(role);
  const { main } = await import('./cli/main.ts');
  const exit = process.exit.bind(process);
  exit(await main(argv, { version: packageJson.version, worker, exit }));
}

function wantsWorker(): boolean {
  // A run of a program says whether its agent needs one.
  if (argv[0] === '__evaluate') return argv[1] === 'agents';
  const never = ['-h', '--help', '--dry-run'];
  return ['run', 'suite', 'test'].includes(argv[0] ?? '') && !argv.some((arg) => never.includes(arg));
}

/** A run may need several kinds; the first input tells which one first. Skill tests need none. */
function workerRole(): 'agents' | 'scripts' | undefined {
  const scripts = /^scripts\.(?!.*\.(?:jsonl|ndjson)$)|_test\.(?:ts|js|mjs)$/;
  const skills = /^skills\.(?!.*\.(?:jsonl|ndjson)$)|\.tests?\.m?[jt]s$/;
  const words = argv.map((word) => word.replace(/^--input=/, ''));
  const first = words.find((word, index) => {
    const before = argv[index - 1] ?? '';
    if (index === 0 || word.startsWith('-')) return false;
    // Which options have a value is not known here: a word after one counts if it can only be a test.
    const isAfterOption = before.startsWith('-') && before !== '-i' && before !== '--input';
    return !isAfterOption || scripts.test(word) || skills.test(word);
  });
  if (first === undefined || !skills.test(first)) return scripts.test(first ?? '') ? 'scripts' : 'agents';
  return undefined;
}
