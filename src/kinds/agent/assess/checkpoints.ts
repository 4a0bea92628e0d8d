// Judges every turn of a conversation against the checkpoints that are still open.

import type { JudgeDeps, Subject } from '../../../judge/assertion.ts';
import { judge } from '../../../judge/judge.ts';
import type { Checkpoint } from '../../../model/case.ts';
import type { CheckpointState, Verdict } from '../../../model/outcome.ts';
import type { Spending } from '../../../model/spending.ts';

export type Checkpoints = {
  /** Judges the answer of a turn against the open checkpoints. */
  visit(turn: number, subject: Subject, deps: JudgeDeps): Promise<void>;
  areReached(): boolean;
  /** One verdict for every checkpoint that is reached or required. */
  verdicts(turns: number): Verdict[];
  states(): CheckpointState[];
};

type Progress = {
  checkpoint: Checkpoint;
  turn?: number;
  /** Why it was not reached in the last turn. */
  reason?: string;
  /** Why it could not be judged in some turn. */
  unclear?: string;
};

/** `spend` gets the cost of judging each turn. */
export function createCheckpoints(
  checkpoints: readonly Checkpoint[],
  spend: (spending: Spending) => void,
): Checkpoints {
  const all: Progress[] = checkpoints.map((checkpoint) => ({ checkpoint }));
  const isReached = (id: string): boolean =>
    all.some(({ checkpoint, turn }) => checkpoint.id === id && turn !== undefined);

  async function visitOne(
    progress: Progress,
    turn: number,
    subject: Subject,
    deps: JudgeDeps,
  ): Promise<boolean> {
    const { assert } = progress.checkpoint;
    const verdicts = await judge(subject, Array.isArray(assert) ? assert : [assert], deps);
    for (const verdict of verdicts) spend(verdict);
    const failed = verdicts.find((verdict) => verdict.status === 'failed');
    const unclear = verdicts.find((verdict) => verdict.status === 'error');
    if (failed !== undefined) progress.reason = failed.message ?? failed.type;
    else if (unclear !== undefined) progress.unclear = unclear.message ?? unclear.type;
    else progress.turn = turn;
    return progress.turn !== undefined;
  }

  return {
    async visit(turn, subject, deps) {
      const visited = new Set<Progress>();
      // A reached checkpoint may open others in the same turn.
      for (let isMoving = true; isMoving;) {
        isMoving = false;
        const open = all.filter((progress) => progress.turn === undefined && !visited.has(progress));
        for (const progress of open) {
          if (!(progress.checkpoint.after ?? []).every(isReached)) continue;
          visited.add(progress);
          if (await visitOne(progress, turn, subject, deps)) isMoving = true;
        }
      }
    },
    areReached: () =>
      all.every(({ checkpoint, turn }) => turn !== undefined || checkpoint.required === false),
    verdicts: (turns) => all.flatMap((progress) => verdictOn(progress, turns)),
    states: () =>
      all.map(({ checkpoint: { id, required = true }, turn }) =>
        turn === undefined ? { id, required, reached: false } : { id, required, reached: true, turn },
      ),
  };
}

function verdictOn({ checkpoint, turn, reason, unclear }: Progress, turns: number): Verdict[] {
  const { id, description, required = true } = checkpoint;
  if (turn !== undefined) return [{ type: 'checkpoint', status: 'passed', checkpoint: id, turn }];
  if (!required) return [];
  const label = description === undefined ? `checkpoint "${id}"` : `checkpoint "${id}" (${description})`;
  if (unclear !== undefined) {
    return [
      {
        type: 'checkpoint',
        status: 'error',
        checkpoint: id,
        message: `${label} could not be judged: ${unclear}`,
      },
    ];
  }
  const blocked = reason === undefined ? '; the checkpoints before it were not reached' : `: ${reason}`;
  const message = `${label} was not reached in ${String(turns)} turn${turns === 1 ? '' : 's'}${blocked}`;
  return [{ type: 'checkpoint', status: 'failed', checkpoint: id, message }];
}
