// A transform is applied to the answer before it is judged.

import { messageOf } from '../../errors.ts';
import type { JudgeDeps, Subject } from '../assertion.ts';
import { transformFunction } from '../transform.ts';
import { answerValues } from './user-judgement.ts';

type TransformDeps = Pick<JudgeDeps, 'callScript' | 'evaluate'>;

/** The subject with the transformed answer; throws if the transform fails or gives nothing. */
export async function transformSubject(
  transform: string,
  subject: Subject,
  deps: TransformDeps,
): Promise<Subject> {
  const output = await transformOutput(transform, subject, deps);
  if (output === undefined)
    throw new Error('the transform gave undefined, but must give the value that is judged');
  return { ...subject, output };
}

async function transformOutput(transform: string, subject: Subject, deps: TransformDeps): Promise<unknown> {
  const reference = transformFunction(transform);
  if (reference === undefined) {
    const evaluated = await deps.evaluate(transform, answerValues(subject), 'the transform');
    if ('no_json' in evaluated) throw new Error('the transform failed: no JSON found in the answer');
    return evaluated.value;
  }
  const { output, input, expected } = subject;
  try {
    return await deps.callScript(reference, [output, input, expected]);
  } catch (cause) {
    throw new Error(`the transform ${reference} failed: ${messageOf(cause)}`, { cause });
  }
}
