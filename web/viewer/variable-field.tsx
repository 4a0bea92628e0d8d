// One variable of a form: label, input of its type, fallback value and problem.

import type { TargetedEvent, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { oneLine } from '../../src/text/untrusted.ts';
import { Line } from '../ui/text.tsx';
import type { Field } from './fields.ts';

type Props = {
  field: Field;
  text: string;
  problem: string | undefined;
  isDisabled: boolean;
  change(text: string): void;
};

export function VariableField(props: Props): VNode {
  const { field, problem } = props;
  const { label, description, isRequired, locked } = field;
  // The select box shows the fallback itself.
  const isTold = field.choices !== undefined && props.text === '' && field.unfit === undefined;
  const id = useId();
  const [hintId, problemId] = [`${id}-hint`, `${id}-problem`];
  return (
    <div class={`field${problem === undefined ? '' : ' wrong'}`}>
      <label for={id}>
        <Line text={label} limit={80} />
        {isRequired && <span class="note"> (required)</span>}
        {locked !== undefined && <span class="note"> (locked)</span>}
      </label>
      <Input {...props} id={id} describedBy={problem === undefined ? hintId : `${problemId} ${hintId}`} />
      {problem !== undefined && (
        <p class="why" id={problemId}>
          <Line text={problem} />
        </p>
      )}
      <div class="note" id={hintId}>
        {description !== undefined && (
          <p>
            <Line text={description} />
          </p>
        )}
        <p class={field.unfit !== undefined && props.text === '' ? 'unfit' : undefined}>
          <Line
            text={[locked ?? '', isTold ? '' : fallbackText(field), chosenDescription(props)]
              .filter((part) => part !== '')
              .join(' ')}
          />
        </p>
      </div>
    </div>
  );
}

type InputProps = Props & { id: string; describedBy: string };

function Input({ field, text, problem, isDisabled, change, id, describedBy }: InputProps): VNode {
  const { name, choices, dataType, fallback, locked, isSecret, isRequired } = field;
  const shared = {
    id,
    name,
    'data-variable': name,
    disabled: isDisabled || locked !== undefined,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== undefined,
    'aria-required': isRequired && fallback === undefined,
  };
  if (locked !== undefined)
    return <input {...shared} type="text" value={isSecret ? '' : (fallback?.text ?? '')} />;
  if (choices !== undefined) {
    const isKnown = text === '' || choices.some((choice) => choice.text === text);
    return (
      <select {...shared} value={text} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">{fallback === undefined ? 'no value' : oneLine(fallbackText(field), 80)}</option>
        {!isKnown && <option value={text}>{oneLine(text, 80)} (not allowed)</option>}
        {choices.map((choice) => (
          <option key={choice.text} value={choice.text}>
            {oneLine(choice.label, 80)}
          </option>
        ))}
      </select>
    );
  }
  const isDay =
    dataType === 'date' && [text, fallback?.text ?? ''].every((one) => /^(?:\d{4}-\d\d-\d\d)?$/.test(one));
  const typed = {
    ...shared,
    value: text,
    autocomplete: 'off',
    onInput: (event: TargetedEvent<HTMLInputElement>) => change(event.currentTarget.value),
  };
  if (isSecret) return <input {...typed} type="password" />;
  if (isDay) return <input {...typed} type="date" />;
  return (
    <input
      {...typed}
      type="text"
      inputMode={dataType === 'number' ? 'decimal' : undefined}
      placeholder={fallback?.text}
    />
  );
}

/** `type default: en` */
function fallbackText({ fallback, isSecret, unfit }: Field): string {
  if (fallback === undefined) return '';
  const text = `${fallback.from}: ${isSecret ? '***' : fallback.text}`;
  return unfit === undefined ? text : `${text} – ${unfit}`;
}

function chosenDescription({ field: { choices = [] }, text }: Props): string {
  const chosen = choices.find((choice) => choice.text === text);
  return chosen?.description === undefined ? '' : `${chosen.label}: ${chosen.description}`;
}
