// What the documentation shows is true: its commands run, on a copy of the examples, and its cases are valid.
//
// A comment before a fenced block says what to do with it:
//   <!-- run: cwd=. exit=1 needs=jq -->   where a bash block runs (default: examples), how it ends (0), what program it needs
//   <!-- no-run: a reason -->             it is not run
//   <!-- file: path -->                   it is a file of that name below examples, for the blocks that follow
// A `text` block holds lines that the command before it prints. `jsonl` blocks are cases, `json` blocks are JSON with comments.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { assay, folder, write } from './assay.ts';

type Block = { at: string; language: string; text: string; marker: string; detail: string };

/** All of them. Those of the second half are in a file of their own, so that two workers share them. */
const DOCUMENTS = ['README.md', 'examples/README.md', ...globSync('docs/*.md').sort()];
const SECOND = /^docs\/[r-z]/;

export const HALVES = {
  first: DOCUMENTS.filter((name) => !SECOND.test(name)),
  second: DOCUMENTS.filter((name) => SECOND.test(name)),
};

const CLI = resolve('dist/cli.js');

/** How long something takes is another time every time, and so is the size of a file that holds such times. */
const timeless = (text: string): string => text.replace(/ *\b\d+(\.\d+)?(?:m?s| kB)\b/g, ' …');

/** The tests of these documents. */
export function checkDocuments(documents: readonly string[]): void {
  describe.each(documents)('%s', (document) => {
    const blocks = blocksOf(document);

    test('every command is run or marked, every case is valid', async () => {
      const place = copyOfExamples();
      const caseFiles: string[] = [];
      let printed = '';
      for (const block of blocks) {
        if (block.marker === 'no-run')
          expect(block.detail, `${block.at}: say why it is not run`).not.toBe('');
        else if (block.marker === 'file') write(join(place, 'examples', block.detail), block.text);
        else if (block.language === 'bash') printed = run(block, place);
        else if (block.language === 'text')
          expect(timeless(printed), `${block.at}: not printed`).toContain(timeless(block.text));
        else if (block.language === 'json')
          expect(jsonErrors(block.text), `${block.at}: not JSON`).toEqual([]);
        else if (block.language === 'jsonl') caseFiles.push(saveCases(block, place));
      }
      if (caseFiles.length === 0) return;
      const inputs = caseFiles.flatMap((file) => ['-i', file]);
      const checked = await assay(['test', ...inputs, '-n', 'triage', '--dry-run'], {
        cwd: join(place, 'examples'),
      });
      expect({ exitCode: checked.exitCode, stderr: checked.stderr }).toEqual({ exitCode: 0, stderr: '' });
    });

    test('every link leads somewhere', () => {
      const text = readFileSync(document, 'utf8');
      const broken = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(
        ([, path = '', anchor]) => {
          const target = path === '' ? document : join(dirname(document), path);
          if (!existsSync(target)) return [target];
          return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [`${target}#${anchor}`];
        },
      );
      expect(broken).toEqual([]);
    });
  });
}

function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  const fences = /(?:^<!-- (run|no-run|file)(?:: ([^\n]*?))? -->\n)?^```(\w*)\n(.*?)^```$/gms;
  const content = readFileSync(document, 'utf8');
  for (const match of content.matchAll(fences)) {
    const [, marker = '', detail = '', language = '', text = ''] = match;
    const line = content.slice(0, match.index).split('\n').length;
    blocks.push({ at: `${document}:${line}`, language, text, marker, detail });
  }
  return blocks;
}

/** A folder with the examples, and programs `assay`, `npx` and `npm` of which the last does nothing. */
export function copyOfExamples(): string {
  const place = folder({
    'bin/assay': `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`,
    'bin/npx': '#!/bin/sh\nexec "$@"\n',
    'bin/npm': '#!/bin/sh\nexit 0\n',
  });
  for (const name of ['assay', 'npx', 'npm']) chmodSync(join(place, 'bin', name), 0o755);
  const filter = (path: string) => !/\.assay$|output-\d{14}/.test(path);
  cpSync('examples', join(place, 'examples'), { recursive: true, filter });
  return place;
}

/** Runs a block in a shell and gives what it printed. */
function run({ at, text, detail }: Block, place: string): string {
  const options = Object.fromEntries(detail.split(' ').map((option) => option.split('=')));
  const env = { PATH: `${join(place, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] };
  const shell = (script: string) =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: join(place, options['cwd'] ?? 'examples'),
      env,
      encoding: 'utf8',
      input: '',
    });
  const { needs } = options;
  if (needs !== undefined && shell(`command -v ${needs}`).status !== 0) return '';
  expect(text, `${at}: a bash block that is run has a command of assay`).toMatch(/\bassay /);
  const { status, stdout, stderr } = shell(text);
  expect(status, `${at}\n${stdout}${stderr}`).toBe(Number(options['exit'] ?? 0));
  return stdout + stderr;
}

function saveCases({ at, text }: Block, place: string): string {
  const name = `${at.replaceAll(/\W/g, '-')}.jsonl`;
  write(join(place, 'examples', name), text);
  return name;
}

function jsonErrors(text: string): ParseError[] {
  const errors: ParseError[] = [];
  parse(text, errors, { allowTrailingComma: true });
  return errors;
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): string[] {
  const headings = readFileSync(document, 'utf8').match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
