// The application whose files are damaged, with a log and tapes that the program has written itself.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { makeFolder, runProgram, writeInto } from '../program.mjs';
import { FILES } from './targets.mjs';

/** Makes the folder, runs the program in it, and keeps copies of what it wrote. */
export async function makeApplication() {
  const folder = makeFolder(FILES);
  const server = createServer((request, response) =>
    request.resume().on('end', () => response.end('{"output":"x"}')),
  );
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${server.address().port}/`;
  writeInto(folder, 'asking.mjs', `export default async () => (await fetch('${url}')).text();\n`);
  writeInto(folder, 'taped.jsonl', '{"id":"a","input":"x"}\n');
  const logged = 'test -i cases.jsonl -n ./agent.mjs -o run.jsonl --runs 2 --retries 0 --timeout 5s';
  await runProgram(logged.split(' '), { cwd: folder });
  const taped = 'test -i taped.jsonl -n ./asking.mjs --record tapes -o tape-run.jsonl --no-history';
  const { code, stderr } = await runProgram(taped.split(' '), { cwd: folder });
  server.closeAllConnections();
  server.close();
  if (code !== 0) throw new Error(`the tape cannot be recorded: ${stderr}`);
  cpSync(join(folder, 'run.jsonl'), join(folder, 'whole.jsonl'));
  cpSync(join(folder, 'tapes'), join(folder, 'whole-tapes'), { recursive: true });
  return folder;
}

/** The contents of all files that are damaged. */
export function readFiles(folder) {
  const tapeName = join(
    'tapes',
    readdirSync(join(folder, 'tapes'), { recursive: true }).find((name) => name.endsWith('.json')),
  );
  const names = [...Object.keys(FILES), 'run.jsonl', tapeName];
  const contents = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  return { tapeName, contents: Object.fromEntries(contents) };
}
