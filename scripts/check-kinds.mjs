// Counts comparisons with the kinds of tests outside the folders of kinds; fails if there are more than agreed.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST = 10;
const COMPARISON = /(?:[=!]==?\s*|\bcase\s+)'(?:script|skill)'/;
const OWN = /^src\/(?:report\/)?kinds\//;

const found = ['src', 'web'].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((file) => /(?<!\.test|\.fixture)\.tsx?$/.test(file) && !OWN.test(file))
    .flatMap(comparisonsIn),
);
if (found.length > MOST) {
  console.error(
    `${found.length} comparisons with a kind outside src/kinds and src/report/kinds, at most ${MOST}:`,
  );
  console.error(found.join('\n'));
  process.exit(1);
}

function comparisonsIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    COMPARISON.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
  );
}
