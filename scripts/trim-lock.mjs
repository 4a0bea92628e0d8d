// node scripts/trim-lock.mjs [lock file]
// `npm ci` refuses a lock file in which a package names an optional package (a binary for some platform) that the registry did
// not have when the lock was made. This removes those names, so that what is locked is what exists. Run it after `npm install`.

import { readFileSync, writeFileSync } from 'node:fs';

const path = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
let removed = 0;
for (const [place, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(place, name, range)) continue;
    delete entry.optionalDependencies[name];
    removed += 1;
  }
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${path}: ${removed} optional packages removed that are not locked`);

/** A package is found in the node_modules of its user or of any folder above; binaries are named by their exact version. */
function isLocked(place, name, range) {
  let folder = place;
  for (;;) {
    const found = lock.packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`];
    if (found !== undefined) return !/^\d/.test(range) || found.version === range;
    if (folder === '') return false;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
}
