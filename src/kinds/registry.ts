// The kinds of tests there are. A new kind is a folder beside this file and a line in the list.

import type { KindId } from '../model/subject.ts';
import { agentKind } from './agent/kind.ts';
import type { Kind } from './kind.ts';
import { scriptKind } from './script/kind.ts';
import { skillKind } from './skill/kind.ts';
import type { TestBinding } from './test-binding.ts';

const ALL = [
  agentKind, //
  scriptKind,
  skillKind,
] as const;

export const KINDS: readonly Kind[] = ALL;

/** Everything that can be tested, and what a definition says about it. */
export type InputSource = SourceOf<(typeof ALL)[number]> & TestBinding;

type SourceOf<Known extends Pick<Kind, 'testIds'>> = Known extends unknown
  ? Parameters<Known['testIds']>[0][number]
  : never;

export function kindById(id: KindId, kinds: readonly Kind[] = KINDS): Kind {
  const kind = kinds.find((one) => one.id === id);
  if (kind === undefined) throw new Error(`there is no kind ${id}`);
  return kind;
}
