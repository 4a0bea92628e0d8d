// The fields of a form, with problems at each field and in a list of all.

import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Line } from '../ui/text.tsx';
import { plural } from '../ui/words.ts';
import type { SentProblem } from './api.ts';
import type { Field, Texts } from './fields.ts';
import { VariableField } from './variable-field.tsx';

export function VariableFields({
  fields,
  texts,
  problems,
  isDisabled,
  change,
}: {
  fields: readonly Field[];
  texts: Texts;
  problems: readonly SentProblem[];
  isDisabled: boolean;
  change(texts: Texts): void;
}): VNode {
  return (
    <div class="fields">
      {fields.map((field) => (
        <VariableField
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          problem={problems.find(({ name }) => name === field.name)?.message}
          isDisabled={isDisabled}
          change={(text) => change({ ...texts, [field.name]: text })}
        />
      ))}
    </div>
  );
}

/** Gets the focus when `attempt` increases and there are problems. */
export function ProblemSummary({
  problems,
  attempt,
}: {
  problems: readonly SentProblem[];
  attempt: number;
}): VNode | null {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) container.current?.focus();
  }, [attempt]);
  if (problems.length === 0) return null;
  const show = (name: string): void =>
    container.current
      ?.closest('form')
      ?.querySelector<HTMLElement>(`[data-variable="${CSS.escape(name)}"]`)
      ?.focus();
  return (
    <div class="banner bad" role="alert" tabIndex={-1} ref={container}>
      <p>
        <b>{plural(problems.length, 'problem')}</b>
      </p>
      <ul>
        {problems.map(({ name, message, hint }) => (
          <li key={message}>
            {name === undefined ? (
              <Line text={message} />
            ) : (
              <button type="button" class="quiet" onClick={() => show(name)}>
                <Line text={message} />
              </button>
            )}
            {hint !== undefined && (
              <>
                {' – '}
                <Line text={hint} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Reports input that the browser cannot convert, such as half a date. */
export function unreadableProblems(form: HTMLFormElement, fields: readonly Field[]): SentProblem[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[data-variable]')].flatMap(
    ({ validity, dataset }) => {
      const field = fields.find(({ name }) => name === dataset['variable']);
      if (!validity.badInput || field === undefined) return [];
      return [{ name: field.name, message: `${field.name}: this is not a complete ${field.dataType}` }];
    },
  );
}
