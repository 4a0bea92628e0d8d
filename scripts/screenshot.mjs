// Runs the program on an example with a bug and draws its terminal output: docs/images/terminal.svg.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const TARGET = 'docs/images/terminal.svg';
const INPUT = 'assistants/triage/tests/tickets.jsonl';
const COLUMN = 8.4;
const ROW = 19;
const PADDING = 20;
const TITLE_BAR = 36;
const COLORS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' };
const TEXT = '#e6edf3';
const FAINT = '#8b949e';

const cli = resolve('dist/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-screenshot-'));
try {
  const lines = [`\u001B[32m$\u001B[39m \u001B[1massay test -i ${INPUT}\u001B[22m`, ...capture()];
  mkdirSync(dirname(TARGET), { recursive: true });
  writeFileSync(TARGET, draw(lines));
  console.log(`${TARGET}: ${lines.length} lines`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The example with one queue renamed, which breaks it. */
function capture() {
  cpSync('examples', folder, { recursive: true, filter: (path) => !/\.assay|output-\d+/.test(path) });
  const agent = join(folder, 'assistants/triage/agent.ts');
  writeFileSync(agent, readFileSync(agent, 'utf8').replace("['billing',", "['payments',"));
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: '' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, 'test', '-i', INPUT], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 1 || !stdout.includes('+ actual'))
    throw new Error(`expected a run with a difference:\n${stdout}${stderr}`);
  return stdout.trimEnd().split('\n');
}

function draw(lines) {
  const rows = lines.map(spansOf);
  const columns = Math.max(...rows.map((spans) => spans.reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(columns * COLUMN + 2 * PADDING);
  const height = TITLE_BAR + rows.length * ROW + PADDING;
  const dots = ['#ff5f56', '#ffbd2e', '#27c93f'].map(
    (fill, at) => `<circle cx="${20 + at * 20}" cy="18" r="6" fill="${fill}"/>`,
  );
  const texts = rows.flatMap((spans, row) => textElements(spans, TITLE_BAR + (row + 1) * ROW - 5));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>assay test: four cases pass, one fails and shows what is different</title>
<style>text { font-size: 14px; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace }</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
${dots.join('')}
${texts.join('\n')}
</svg>
`;
}

/** Places every piece at its column and stretches it to its width, so that the picture is the same in any font. */
function textElements(spans, y) {
  const elements = [];
  let column = 0;
  for (const { text, fill, isBold } of spans) {
    const start = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown !== '') {
      const x = round(PADDING + (column + start) * COLUMN);
      const weight = isBold ? ' font-weight="bold"' : '';
      elements.push(
        `<text x="${x}" y="${y}" textLength="${round(shown.length * COLUMN)}" lengthAdjust="spacingAndGlyphs" fill="${fill}"${weight}>${escape(shown)}</text>`,
      );
    }
    column += text.length;
  }
  return elements;
}

/** Splits a line with escape sequences into pieces of one style each. */
function spansOf(line) {
  const spans = [];
  let look = { fill: TEXT, isBold: false };
  const [first, ...rest] = line.split('\u001B[');
  if (first !== '') spans.push({ text: first, ...look });
  for (const piece of rest) {
    const end = piece.indexOf('m');
    for (const code of piece.slice(0, end).split(';')) look = changed(look, Number(code));
    if (end + 1 < piece.length) spans.push({ text: piece.slice(end + 1), ...look });
  }
  return spans;
}

function changed(look, code) {
  if (code === 0) return { fill: TEXT, isBold: false };
  if (code === 1) return { ...look, isBold: true };
  if (code === 2) return { ...look, fill: FAINT };
  if (code === 22) return { fill: look.fill === FAINT ? TEXT : look.fill, isBold: false };
  if (code === 39) return { ...look, fill: TEXT };
  return { ...look, fill: COLORS[code] ?? look.fill };
}

/** Replaces spaces with non-breaking ones, because renderers collapse repeated spaces differently. */
function escape(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(' ', '&#160;');
}

function round(value) {
  return Math.round(value * 10) / 10;
}
