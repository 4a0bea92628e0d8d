// `transform`: code that changes the answer before it is judged.

import { parseExpression } from '../../scripts/expressions/parse-expression.ts';
import { fileReference } from '../source/files.ts';
import type { AssertionContext } from './given.ts';

/** The expression or the name of a function; undefined if it is lost. */
export function convertTransform(
  transform: unknown,
  at: string,
  name: string,
  { losses, folders }: Pick<AssertionContext, 'losses' | 'folders'>,
): string | undefined {
  if (typeof transform !== 'string') return void losses.missing(at, name, 'it is no text');
  if (fileReference(transform, folders) !== undefined)
    return void losses.missing(
      at,
      name,
      `the function in ${transform} gets other arguments here`,
      'copy it to scripts/ as a function of (output, input, expected, ctx) and name it: scripts.<file>.<Function>',
    );
  const code = transform.trim().replace(/;+\s*$/, '');
  const parsed = parseExpression(code);
  if ('problem' in parsed)
    return void losses.missing(at, name, `it cannot be an expression: ${parsed.problem}`);
  const foreign = /\b(?:require|process|fetch|console|Buffer)\b|context\.(?!vars\b)(\w+)/.exec(code);
  if (foreign !== null)
    return void losses.missing(
      at,
      name,
      `it uses ${foreign[0]}, which expressions do not have`,
      'write a script (docs/assertions.md#transform)',
    );
  return code;
}
