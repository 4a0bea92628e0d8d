// Damages a file at random, the same way for the same seed: its values, its lines or its bytes.

/** Values that do not fit. `@…@` is written without quotes. */
const ODD = [
  null,
  true,
  false,
  '',
  ' ',
  'x',
  'NaN',
  '-1',
  '..',
  '/dev/null',
  '\u0000',
  '\ud800',
  '\u202e',
  '{{',
  '{{A}}',
  '$ENV.NO',
  '$ENV.',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '\n'.repeat(50),
  0,
  -1,
  1.5,
  -0,
  1e308,
  2 ** 53,
  '@1e999@',
  '@-1e999@',
  '@1e-999@',
  [],
  [null],
  [[]],
  [1, 'a', {}],
  {},
  { a: null },
  { '': 1 },
  { type: 'equals' },
  { type: 'regex', value: '(' },
  { type: 'regex', value: '(a+)+$' },
  { type: 'schema', value: { $ref: '#' } },
  { role: 'user', content: [] },
  '99999999999h',
  '1ns',
  'tag:',
  '*',
  '**/*',
  '[',
  'scripts.',
  'agents:',
  'file://',
  'http://',
  'postgres://x',
  Array.from({ length: 200 }, () => ({})),
];
/** Pieces of other formats, and of their traps. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  "'",
  '\\',
  '\n',
  '\r',
  '\t',
  '\0',
  '\uFEFF',
  '\u2028',
  '//',
  '/*',
  '*/',
  '#',
  '- ',
  '? ',
  '| ',
  '> ',
  '---\n',
  '...\n',
  '&a ',
  '*a',
  '<<: *a\n',
  '!!binary ',
  '!!js/function ',
  '!<x> ',
  '%YAML 9.9\n',
  '%TAG ! x\n',
  '@',
  '`',
  '${A}',
  '$(A)',
  '=',
  'export ',
  'null',
  'true',
  '~',
  '.inf',
  '.nan',
  '0x',
  '0o8',
  '1e999',
  '2026-99-99',
  '\\u0000',
  '\\ud800',
  '"\\',
  '\ud83d',
];
const LAUGHS = `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
  .map(
    (name, index) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(', ')}]\n`,
  )
  .join('')}`;

/** The bytes of a damaged text. */
export function mutate(text, random) {
  const changes = 1 + random.below(3);
  let changed = text;
  for (let n = 0; n < changes; n += 1) changed = changeText(changed, random);
  return random.next() < 0.08 ? changeBytes(changed, random) : Buffer.from(changed);
}

function changeText(text, random) {
  const kind = random.next();
  if (kind < 0.55) return changeValue(text, random) ?? changeLine(text, random);
  if (kind < 0.75) return changeLine(text, random);
  return changePiece(text, random);
}

/** Changes a field of a JSON document or of one line of JSON. Undefined if there is none. */
function changeValue(text, random) {
  const lines = text.split('\n');
  const isLines = lines.length > 1 && isJson(lines[0]) && lines[0].startsWith('{');
  const at = isLines ? random.below(lines.length) : 0;
  const source = isLines ? lines[at] : text;
  if (!isJson(source)) return undefined;
  const root = [JSON.parse(source)];
  if (!changeField(root, random)) return undefined;
  const changed = writeJson(root[0]);
  return isLines ? lines.with(at, changed).join('\n') : changed;
}

/** Not for what is nested too deeply already. */
function isJson(text) {
  if (text.includes('[[[[[[[[[[')) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function changeField(root, random) {
  let place = root;
  let key = 0;
  while (
    isTree(place[key]) &&
    Object.keys(place[key]).length > 0 &&
    (place === root || random.next() < 0.7)
  ) {
    place = place[key];
    key = random.pick(Object.keys(place));
  }
  if (place === root) return false;
  const value = place[key];
  const ways = [
    () => delete place[key],
    () => (place[key] = [value, value]),
    () => (place[key] = { [key]: value }),
    () => (place[`${key}x`] = value),
    () => (place[key] = `@nested${10 ** (1 + random.below(4))}@`),
    () => (place[key] = JSON.stringify(value) ?? ''),
    () => (place[random.pick(['__proto__x', 'toString', 'type', 'id', 'status', 'runs'])] = random.pick(ODD)),
  ];
  if (random.next() < 0.45) place[key] = random.pick(ODD);
  else random.pick(ways)();
  return true;
}

function isTree(value) {
  return typeof value === 'object' && value !== null;
}

function writeJson(value) {
  return JSON.stringify(value)
    .replaceAll(
      /"@nested(\d{1,5})@"/g,
      (_, levels) => '['.repeat(Number(levels)) + ']'.repeat(Number(levels)),
    )
    .replaceAll(/"@([-0-9e]*)@"/g, '$1')
    .replaceAll('__proto__x', '__proto__');
}

function changeLine(text, random) {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at];
  const ways = [
    [],
    [line, line],
    [line.slice(0, random.below(line.length + 1))],
    ['', line],
    [`${line}\r`],
    [`\t${line}`],
    [` ${line}`],
    [line.trimStart()],
    [`# ${line}`],
    ['7', line],
    ['null', line],
    ['{}', line],
    ['[]', line],
    [`${line}${line}`],
    [line.replaceAll('"', "'")],
    [line.replace(':', '')],
    [line.replace(/:.*/, ':')],
    [line.replace(/\d+/, '1e999')],
    [LAUGHS, line],
    Array.from({ length: 300 }, () => line),
  ];
  return lines.toSpliced(at, 1, ...random.pick(ways)).join('\n');
}

function changePiece(text, random) {
  const at = random.below(text.length + 1);
  const length = random.below(1 + Math.min(40, text.length - at));
  const ways = [
    () => random.pick(PIECES),
    () => '',
    () => text.slice(at, at + length).repeat(1 + random.below(4)),
    () => random.pick(PIECES).repeat(10 ** random.below(5)),
    () => String.fromCharCode(random.below(0x10000)),
  ];
  return text.slice(0, at) + random.pick(ways)() + text.slice(at + (random.next() < 0.5 ? length : 0));
}

function changeBytes(text, random) {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  const ways = [
    () => Buffer.from(text.replaceAll('\n', '\r\n')),
    () => Buffer.from(`\uFEFF${text}`),
    () => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
    () => Buffer.from(`é${text}`, 'latin1'),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + (at % 50)), bytes.subarray(at)]),
    () =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc3, 0xed, 0xa0, 0x80]), bytes.subarray(at)]),
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes, Buffer.alloc(4096)]),
    () => Buffer.alloc(0),
  ];
  return random.pick(ways)();
}
