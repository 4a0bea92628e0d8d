// Cases as they are saved: what is written can be run again.

import path from 'node:path';
import type { FilePlace } from '../messages.ts';
import { findSource, namesFile } from '../messages.ts';
import { createIdSet } from '../../../platform/id-set.ts';
import { quoted } from './quoted.ts';
import type { CaseInput, ContentPart, Message, TestCase } from '../../../model/case.ts';

/** Maximum number of ids in a message; the others are counted. */
const MANY = 5;

/** A case for a file in another folder: the files that it names are the same, seen from there. */
export function savedCase(testCase: TestCase, place: FilePlace, folder: string): Partial<TestCase> {
  const { input, ...rest } = testCase;
  // An empty list stands for what the turns say.
  const hasInput = !(Array.isArray(input) && input.length === 0);
  const saved: Partial<TestCase> = hasInput ? { ...testCase } : rest;
  if (path.relative(place.base, folder) === '') return saved;
  const move = (part: ContentPart): ContentPart => moved(part, place, folder);
  if (saved.input !== undefined) saved.input = mapParts(saved.input, move);
  if (saved.turns !== undefined)
    saved.turns = saved.turns.map((turn) => ({ ...turn, input: mapParts(turn.input, move) }));
  return saved;
}

/** Changes the content parts of an input, which keeps its form. */
function mapParts(input: CaseInput, map: (part: ContentPart) => ContentPart): CaseInput {
  if (typeof input === 'string') return input;
  const mapItem = (item: Message | ContentPart): Message | ContentPart => {
    if (!isMessage(item)) return map(item);
    return Array.isArray(item.content) ? { ...item, content: item.content.map(map) } : item;
  };
  // A list of messages stays one, as does one of parts.
  return Array.isArray(input) ? (input.map(mapItem) as Message[] | ContentPart[]) : mapItem(input);
}

function isMessage(item: Message | ContentPart): item is Message {
  return 'role' in item;
}

function moved(part: ContentPart, place: FilePlace, folder: string): ContentPart {
  if (!namesFile(part) || path.isAbsolute(part.source.slice('file://'.length))) return part;
  const found = findSource(part.source, place);
  return 'problem' in found ? part : { ...part, source: `file://${path.relative(folder, found.file)}` };
}

/** Finds ids that are not unique in what is saved, which no case file may have. */
export function createTwinFinder(): { add(id: string): void; note(): string | undefined } {
  const [seen, twins] = [createIdSet(), createIdSet()];
  const named: string[] = [];
  let count = 0;
  return {
    add(id) {
      if (seen.add(id, 1) === undefined || twins.add(id, 1) !== undefined) return;
      count++;
      if (named.length < MANY) named.push(quoted(id));
    },
    note() {
      if (count === 0) return undefined;
      const others = count - named.length;
      const more = others === 0 ? '' : ` and ${others} other${others === 1 ? '' : 's'}`;
      return `the saved cases cannot be run as they are: several have the id ${named.join(', ')}${more}; give each its own`;
    },
  };
}
