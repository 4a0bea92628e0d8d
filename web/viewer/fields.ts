// Builds the fields of a form: every variable with its label, its currently allowed values and its fallback.

import type {
  TestVariableDataType,
  TestVariableDefinition,
  TestVariableDependency,
  TestVariableOverride,
  TestVariableValue,
} from '../../src/model/variables.ts';
import { isCredentialName } from '../../src/secrets/credential-name.ts';
import { allowedValues } from '../../src/variables/check-schema.ts';
import { parseValue, valueText } from '../../src/variables/values.ts';
import type { Subject } from './subject.ts';

/** A selectable value; `text` is its form value. */
type FieldChoice = { text: string; label: string; description?: string };

export type Field = {
  name: string;
  label: string;
  description: string | undefined;
  dataType: TestVariableDataType;
  isRequired: boolean;
  isSecret: boolean;
  /** Why the variable cannot be set. */
  locked: string | undefined;
  /** The allowed values; undefined for any value of the data type. */
  choices: FieldChoice[] | undefined;
  /** The value without an own one, and its source: `type default`. */
  fallback: { text: string; from: string } | undefined;
  /** Why the fallback is not valid now: `not allowed while Language is de`. */
  unfit: string | undefined;
};

/** Form values by variable; an empty text means no value. */
export type Texts = Record<string, string>;
/** Whether the form edits a suite or a run; values of the suite are a fallback for those of a run. */
export type Level = 'run' | 'suite';

/** A variable in one test. */
type Use = { test: string; definition: TestVariableDefinition; override: TestVariableOverride | undefined };

export function buildFields(subject: Subject, texts: Texts, level: Level): Field[] {
  const uses = variableUses(subject);
  return [...uses].map(([name, ofName]) => buildField(name, ofName, { subject, texts, level, uses }));
}

/** The variables of all tests; tests do not have variables that they do not expose. */
function variableUses({ tests }: Subject): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  for (const { definition: test, schema } of tests) {
    for (const definition of schema?.variables ?? []) {
      const override = own(test.variables?.variables, definition.name);
      if (override?.exposed === false) continue;
      uses.set(definition.name, [
        ...(uses.get(definition.name) ?? []),
        { test: test.name, definition, override },
      ]);
    }
  }
  return uses;
}

type Around = { subject: Subject; texts: Texts; level: Level; uses: Map<string, Use[]> };

function buildField(name: string, uses: readonly Use[], around: Around): Field {
  const open = uses.filter(({ override }) => override?.locked !== true);
  const [first] = open.length > 0 ? open : uses;
  const definition = first?.definition;
  const isLocked = open.length === 0;
  const fallback = findFallback(name, isLocked ? uses : open, isLocked ? undefined : around);
  return {
    name,
    label: definition?.displayName ?? name,
    description: definition?.description,
    dataType: definition?.dataType ?? 'string',
    isRequired: uses.some((use) => use.definition.required),
    isSecret: isCredentialName(name),
    locked: isLocked ? lockedText(uses) : undefined,
    choices: isLocked ? undefined : commonChoices(open, around),
    fallback,
    unfit: fallback === undefined ? undefined : unfitText(name, isLocked ? uses : open, around),
  };
}

function lockedText(uses: readonly Use[]): string {
  const [only, ...others] = uses;
  return others.length === 0 && only !== undefined
    ? `The test ${only.test} locks it.`
    : 'All tests that have it lock it.';
}

/** The values that are allowed in all tests that have the variable. */
function commonChoices(uses: readonly Use[], around: Around): FieldChoice[] | undefined {
  const lists = uses.flatMap(({ definition, override }) => {
    const allowed = override?.restrictedValues ?? allowedValues(definition, around.subject.entities);
    return [allowed, narrowed(definition, around)].flatMap((list) =>
      list === undefined ? [] : [list.map(String)],
    );
  });
  const [first, ...others] = lists;
  if (first === undefined) {
    return uses[0]?.definition.dataType === 'boolean'
      ? ['true', 'false'].map((text) => ({ text, label: text }))
      : undefined;
  }
  const labels = uses.flatMap(({ definition }) => definition.possibleValues ?? []);
  return [...new Set(first)]
    .filter((text) => others.every((list) => list.includes(text)))
    .map((text) => {
      const { label, description } = labels.find(({ value }) => String(value) === text) ?? {};
      return Object.assign({ text, label: label ?? text }, description === undefined ? {} : { description });
    });
}

/** Reports a fallback that the current value of another variable does not allow. */
function unfitText(name: string, uses: readonly Use[], around: Around): string | undefined {
  for (const use of uses) {
    const { dependsOn } = use.definition;
    // The matrix of a suite drops conflicting combinations.
    if (dependsOn === undefined || own(around.subject.suite?.matrix, name) !== undefined) continue;
    const other = currentText(dependsOn, around);
    const text = findFallback(name, [use], use.override?.locked === true ? undefined : around)?.text;
    const allowed = narrowed(use.definition, around)?.map(formText);
    if (other === undefined || text === undefined || allowed?.includes(text) !== false) continue;
    const label = around.uses.get(dependsOn.variable)?.[0]?.definition.displayName ?? dependsOn.variable;
    return `not allowed while ${label} is ${other}`;
  }
  return undefined;
}

/** The values of this variable that the value of another one allows. */
function narrowed({ dependsOn }: TestVariableDefinition, around: Around): TestVariableValue[] | undefined {
  if (dependsOn === undefined) return undefined;
  const text = currentText(dependsOn, around);
  if (text === undefined) return undefined;
  const parsed = parseValue(text, around.uses.get(dependsOn.variable)?.[0]?.definition.dataType ?? 'string');
  return own(dependsOn.values, 'value' in parsed ? valueText(parsed.value) : text);
}

/** The current value of another variable, from the form or its fallback. */
function currentText(dependsOn: TestVariableDependency, around: Around): string | undefined {
  const uses = around.uses.get(dependsOn.variable) ?? [];
  const isLocked = uses.every(({ override }) => override?.locked === true);
  const typed = isLocked ? '' : (own(around.texts, dependsOn.variable) ?? '');
  return typed === '' ? findFallback(dependsOn.variable, uses, isLocked ? undefined : around)?.text : typed;
}

/** Without `around`, the values of suite and run are ignored. */
function findFallback(name: string, uses: readonly Use[], around: Around | undefined): Field['fallback'] {
  const suite = around?.level === 'run' ? around.subject.suite : undefined;
  const varied = own(around?.subject.suite?.matrix, name);
  if (varied !== undefined) return { text: varied.map(String).join(', '), from: 'varied by the suite' };
  const ofSuite = own(suite?.variables?.variables, name);
  if (ofSuite !== undefined) return { text: formText(ofSuite), from: 'suite' };
  const defaults = uses.flatMap(({ definition, override }) => {
    if (override?.defaultValue !== undefined)
      return [{ text: formText(override.defaultValue), from: 'test default' }];
    return definition.defaultValue === undefined
      ? []
      : [{ text: formText(definition.defaultValue), from: 'type default' }];
  });
  const texts = new Set(defaults.map(({ text }) => text));
  if (texts.size <= 1) return defaults[0];
  return { text: [...texts].join(', '), from: 'differs from test to test' };
}

/** The form value of a variable's value. */
export function formText(value: TestVariableValue): string {
  return valueText(value);
}

/** Reads an own property: a variable may be named like an inherited method. */
function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
