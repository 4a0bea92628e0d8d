// A Nunjucks template in, its parts out; and the names that a template of plain `{{name}}` uses.

import type { Expression } from './expression.ts';
import { parseExpression, TemplateError } from './expression.ts';

export type TemplatePart =
  | { type: 'text'; text: string }
  | { type: 'output'; value: Expression }
  | { type: 'set'; name: string; value: Expression }
  | { type: 'if'; branches: { test: Expression | undefined; body: TemplatePart[] }[] }
  | { type: 'for'; names: string[]; list: Expression; body: TemplatePart[]; otherwise: TemplatePart[] };

const MARK = /\{\{-?|\{%-?|\{#-?/g;
const END: Record<string, RegExp> = { '{{': /-?\}\}/g, '{%': /-?%\}/g, '{#': /-?#\}/g };
const NAME = /^\s*([A-Za-z_]\w*)\s*$/;

/** True if the text has anything that Nunjucks replaces. */
export function isTemplate(text: string): boolean {
  return /\{\{|\{%|\{#/.test(text);
}

/** The names of a template that has nothing but `{{name}}`; undefined for all others. */
export function plainNames(text: string): string[] | undefined {
  if (/\{%|\{#/.test(text)) return undefined;
  const names: string[] = [];
  const rest = text.replaceAll(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
    const name = NAME.exec(inner)?.[1];
    names.push(name ?? '');
    return '';
  });
  return rest.includes('{{') || names.includes('') ? undefined : [...new Set(names)];
}

type Piece = { type: 'text' | 'output' | 'tag'; text: string };

/** Parses a template; throws a TemplateError if it uses something that is not known here. */
export function parseTemplate(source: string): TemplatePart[] {
  const pieces = split(source);
  const { parts, end } = readBody(pieces, 0, []);
  if (end < pieces.length) throw new TemplateError(`{% ${pieces[end]?.text ?? ''} %} has no beginning`);
  return parts;
}

/** Texts, outputs and tags in order. Comments are gone; `-` has removed white space. */
function split(source: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let isTrimmed = false;
  const addText = (text: string): void => {
    const shown = isTrimmed ? text.trimStart() : text;
    if (shown !== '') pieces.push({ type: 'text', text: shown });
  };
  const mark = new RegExp(MARK);
  for (let found = mark.exec(source); found !== null; found = mark.exec(source)) {
    const [open] = found;
    const kind = open.slice(0, 2);
    const end = new RegExp(END[kind] ?? /$/g);
    end.lastIndex = found.index + open.length;
    const close = end.exec(source);
    if (close === null) throw new TemplateError(`${kind} is not closed`);
    const before = source.slice(from, found.index);
    addText(open.endsWith('-') ? before.trimEnd() : before);
    const inner = source.slice(found.index + open.length, close.index).trim();
    from = close.index + close[0].length;
    isTrimmed = close[0].startsWith('-');
    if (kind === '{%' && inner === 'raw') {
      const raw = /\{%-?\s*endraw\s*-?%\}/g;
      raw.lastIndex = from;
      const endRaw = raw.exec(source);
      if (endRaw === null) throw new TemplateError('{% raw %} is not closed');
      addText(source.slice(from, endRaw.index));
      from = endRaw.index + endRaw[0].length;
    } else if (kind !== '{#') pieces.push({ type: kind === '{{' ? 'output' : 'tag', text: inner });
    mark.lastIndex = from;
  }
  addText(source.slice(from));
  return pieces;
}

/** Reads until a tag whose first word is one of `until`, or the end. */
function readBody(
  pieces: readonly Piece[],
  start: number,
  until: readonly string[],
): { parts: TemplatePart[]; end: number } {
  const parts: TemplatePart[] = [];
  let at = start;
  while (at < pieces.length) {
    const { type, text } = pieces[at] ?? { type: 'text', text: '' };
    if (type === 'text') parts.push({ type: 'text', text });
    else if (type === 'output') parts.push({ type: 'output', value: parseExpression(text) });
    else {
      const [, word = '', rest = ''] = /^(\w+)\s*([^]*)$/.exec(text) ?? [];
      if (until.includes(word)) return { parts, end: at };
      const block = readBlock(pieces, at, word, rest);
      parts.push(block.part);
      at = block.end;
    }
    at += 1;
  }
  if (until.length > 0) throw new TemplateError(`{% ${until.at(-1) ?? ''} %} is missing`);
  return { parts, end: at };
}

function readBlock(
  pieces: readonly Piece[],
  at: number,
  word: string,
  rest: string,
): { part: TemplatePart; end: number } {
  if (word === 'if') return readIf(pieces, at, rest);
  if (word === 'for') return readFor(pieces, at, rest);
  const [, name, value] = /^([A-Za-z_]\w*)\s*=\s*([^]+)$/.exec(rest) ?? [];
  if (word === 'set' && name !== undefined && value !== undefined)
    return { part: { type: 'set', name, value: parseExpression(value) }, end: at };
  throw new TemplateError(`{% ${word} %} is not known here`);
}

function readIf(pieces: readonly Piece[], start: number, first: string): { part: TemplatePart; end: number } {
  const branches: { test: Expression | undefined; body: TemplatePart[] }[] = [];
  let test: Expression | undefined = parseExpression(first);
  let at = start;
  for (;;) {
    const { parts: body, end } = readBody(pieces, at + 1, ['elif', 'elseif', 'else', 'endif']);
    branches.push({ test, body });
    const tag = pieces[end]?.text ?? '';
    at = end;
    if (tag.startsWith('endif')) return { part: { type: 'if', branches }, end };
    test =
      tag.startsWith('else') && !tag.startsWith('elseif')
        ? undefined
        : parseExpression(tag.replace(/^\w+/, ''));
  }
}

function readFor(pieces: readonly Piece[], start: number, head: string): { part: TemplatePart; end: number } {
  const [, names = '', list] = /^([\w\s,]+?)\s+in\s+([^]+)$/.exec(head) ?? [];
  if (list === undefined) throw new TemplateError(`{% for ${head} %} is not known here`);
  const { parts: body, end } = readBody(pieces, start + 1, ['else', 'endfor']);
  const hasElse = pieces[end]?.text.startsWith('else') === true;
  const other = hasElse ? readBody(pieces, end + 1, ['endfor']) : { parts: [], end };
  const part: TemplatePart = {
    type: 'for',
    names: names.split(',').map((name) => name.trim()),
    list: parseExpression(list),
    body,
    otherwise: other.parts,
  };
  return { part, end: other.end };
}
