// Texts come in, the texts with secrets come out masked. A secret may begin in one text and end in a later one.

import { findStringEnd } from '../json/json-scan.ts';
import type { Range, SecretSearch } from './secret-search.ts';

/** A text; those with the same stream continue each other, like the pieces of an answer or the lines of a log. */
export type Piece = { text: string; stream?: string | undefined };

/** `rest` replaces what later pieces have of a secret whose beginning is masked already. */
export type Masks = { mask: string; rest: string };

/** A part of a piece that belongs to a stream. */
type Member = Range & { piece: number };
type Cut = Range & { isRest: boolean };

/** The pieces with secrets, masked, by their index. */
export function maskTexts(
  pieces: readonly Piece[],
  search: SecretSearch,
  { mask, rest }: Masks,
): Map<number, string> {
  const cuts = new Map<number, Cut[]>();
  for (const members of findStreams(pieces)) cutMembers(members, pieces, search, cuts);
  const masked = new Map<number, string>();
  for (const [index, found] of cuts) {
    const text = pieces[index]?.text ?? '';
    let shown = '';
    let from = 0;
    for (const cut of joined(found)) {
      shown += text.slice(from, cut.from) + (cut.isRest ? rest : mask);
      from = cut.to;
    }
    masked.set(index, shown + text.slice(from));
  }
  return masked;
}

/** Every piece is searched with its stream, and so are the texts of one name in the JSON of a stream. */
function findStreams(pieces: readonly Piece[]): Member[][] {
  const streams: Member[][] = [];
  const named = new Map<string, Member[]>();
  const join = (name: string, member: Member): void => {
    const members = named.get(name);
    if (members === undefined) named.set(name, [member]);
    else members.push(member);
  };
  for (const [piece, { text, stream }] of pieces.entries()) {
    const whole = { piece, from: 0, to: text.length };
    if (stream === undefined) streams.push([whole]);
    else join(stream, whole);
    if (!text.includes('{') || !text.includes('"')) continue;
    for (const { name, from, to } of jsonTexts(text))
      join(`${stream ?? String(piece)} > ${name}`, { piece, from, to });
  }
  for (const [name, members] of named) if (members.length > 1 || !name.includes(' > ')) streams.push(members);
  return streams;
}

/** The texts in JSON, each named by its depth and its field; finds them in other text, too. */
function* jsonTexts(text: string): Generator<Range & { name: string }> {
  let depth = 0;
  let field = '';
  const token = /["{}[\]]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] !== '"') {
      depth += match[0] === '{' || match[0] === '[' ? 1 : -1;
      continue;
    }
    const from = token.lastIndex;
    const to = findStringEnd(text, from);
    if (to === -1) return;
    token.lastIndex = to + 1;
    let after = to + 1;
    while (text.charAt(after) === ' ') after += 1;
    if (text.charAt(after) === ':') field = text.slice(from, to);
    else yield { name: `${String(depth)} ${field}`, from, to };
  }
}

/** Adds what the members of a stream have of secrets to the cuts of their pieces. */
function cutMembers(
  members: readonly Member[],
  pieces: readonly Piece[],
  search: SecretSearch,
  cuts: Map<number, Cut[]>,
): void {
  const found = joined(
    search.find(members.map(({ piece, from, to }) => slice(pieces[piece]?.text, from, to))),
  );
  let at = 0;
  let base = 0;
  for (const range of found) {
    let isRest = false;
    for (;;) {
      const member = members[at];
      if (member === undefined) break;
      const length = member.to - member.from;
      const from = Math.max(range.from - base, 0);
      const to = Math.min(range.to - base, length);
      if (from < to) {
        const cut = { from: member.from + from, to: member.from + to, isRest };
        const others = cuts.get(member.piece);
        if (others === undefined) cuts.set(member.piece, [cut]);
        else others.push(cut);
        isRest = true;
      }
      if (range.to <= base + length) break;
      base += length;
      at += 1;
    }
  }
}

function slice(text = '', from: number, to: number): string {
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

/** In order, with overlapping ones as one. */
function joined<T extends Range & { isRest?: boolean }>(ranges: T[]): T[] {
  const all: T[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = all.at(-1);
    if (last === undefined || range.from >= last.to) all.push({ ...range });
    else {
      last.to = Math.max(last.to, range.to);
      if (range.isRest === true) last.isRest = true;
    }
  }
  return all;
}
