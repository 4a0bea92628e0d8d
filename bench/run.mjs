// npm run bench -- [cases | million | model | pages | python | scripts | skills | start | store | tapes | verdicts | waiting | all]
// Measures the built program beside its peers, interleaved in one run: machines are noisy, so read the ratios.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchCases } from './cases.mjs';
import { benchMillion } from './million.mjs';
import { benchModel } from './model.mjs';
import { benchPages } from './pages.mjs';
import { benchPython } from './python.mjs';
import { benchScripts } from './scripts.mjs';
import { benchSkills } from './skills.mjs';
import { benchStart } from './start.mjs';
import { benchStore } from './store.mjs';
import { benchTapes } from './tapes.mjs';
import { benchVerdicts } from './verdicts.mjs';
import { benchWaiting } from './waiting.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const benches = {
  cases: benchCases,
  million: benchMillion,
  model: benchModel,
  pages: benchPages,
  python: benchPython,
  scripts: benchScripts,
  skills: benchSkills,
  start: benchStart,
  store: benchStore,
  tapes: benchTapes,
  verdicts: benchVerdicts,
  waiting: benchWaiting,
};
const [wanted = 'cases', ...rest] = process.argv.slice(2);
const names = wanted === 'all' ? Object.keys(benches) : [wanted];
if (names.some((name) => benches[name] === undefined)) {
  console.error(`unknown bench "${wanted}"; there are: ${Object.keys(benches).join(', ')}, all`);
  process.exit(2);
}
if (!existsSync(join(here, '..', 'dist', 'cli.js')))
  execFileSync('npm', ['run', 'build'], { cwd: join(here, '..'), stdio: 'inherit' });
let isFine = true;
for (const name of names) {
  console.log(`\n## ${name}`);
  isFine =
    (await benches[name]({ here, quick: rest.includes('--quick'), write: rest.includes('--write') })) &&
    isFine;
}
process.exit(isFine ? 0 : 1);
