import { execFileSync } from 'node:child_process';
import { globSync } from 'tinyglobby';
import { existsSync, statSync } from 'node:fs';

/** The tests drive the built program; it is built anew when a source is newer. */
export default function build(): void {
  const built = 'dist/cli.js';
  const isStale =
    !existsSync(built) ||
    globSync([
      'src/**/*.{py,ts}',
      'web/**/*.{ts,tsx,css}',
      'scripts/build-web.mjs',
      'package.json',
      'tsdown.config.ts',
    ]).some((file) => statSync(file).mtimeMs > statSync(built).mtimeMs);
  if (isStale) execFileSync('npm', ['run', 'build'], { stdio: 'inherit' });
}
