#!/usr/bin/env node
// argv → command → exit code. The only caller of process.exit.

import packageJson from '../package.json' with { type: 'json' };

const argv = process.argv.slice(2);
if (argv[0] === '--version' || argv[0] === '-v') {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  const { main } = await import('./commands/main.ts');
  const exit = process.exit.bind(process);
  exit(await main(argv, { version: packageJson.version, exit }));
}
