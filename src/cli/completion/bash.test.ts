import { expect, test } from 'vitest';
import { bashReply, readBashLine } from './bash.ts';

const BREAKS = ' \t\n"\'@><=;|&(:';

test.each([
  ['assay run gr', { words: ['assay', 'run', 'gr'], keptLength: 0, quote: '' }],
  ['assay  run ', { words: ['assay', 'run', ''], keptLength: 0, quote: '' }],
  ['assay run tag:sm', { words: ['assay', 'run', 'tag:sm'], keptLength: 4, quote: '' }],
  [String.raw`assay run tag\:sm`, { words: ['assay', 'run', 'tag:sm'], keptLength: 0, quote: '' }],
  ['assay run "tag:sm', { words: ['assay', 'run', 'tag:sm'], keptLength: 0, quote: '"' }],
  ['assay -V A="b c', { words: ['assay', '-V', 'A=b c'], keptLength: 2, quote: '"' }],
  ['assay -V --var=A=b', { words: ['assay', '-V', '--var=A=b'], keptLength: 8, quote: '' }],
  [
    String.raw`assay 'a b' c\ d "e\"\f" ''`,
    { words: ['assay', 'a b', 'c d', String.raw`e"\f`, ''], keptLength: 0, quote: '' },
  ],
  ['assay run a\\', { words: ['assay', 'run', 'a'], keptLength: 0, quote: '' }],
])('reads %s', (line, read) => {
  expect(readBashLine(line, BREAKS)).toEqual(read);
});

test.each([
  ['assay gr', 'greeting', 'greeting'],
  ['assay tag:s', 'tag:smoke', 'smoke'],
  ['assay ', `it's "$5" & \`more\``, String.raw`it\'s\ \"\$5\"\ \&\ \`more\``],
  ["assay '", "it's 5", String.raw`it'\''s 5`],
  ['assay "', 'a "$5" b', String.raw`a \"\$5\" b`],
  ['assay A="', 'A=a "b"', String.raw`a \"b\""`],
  ["assay '", "the cooks'", String.raw`the cooks'\'''`],
  ['assay A=', 'A=größe', 'größe'],
])('for %s and %s the reply is %s', (line, candidate, reply) => {
  expect(bashReply(candidate, readBashLine(line, BREAKS))).toBe(reply);
});
