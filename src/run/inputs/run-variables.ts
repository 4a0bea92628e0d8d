// The values that a run gives to variables, by precedence `--var` > `--var-file` > `ASSAY_VAR_…` > preset, and the lists of a matrix.

import { resolve } from 'node:path';
import type { Flags } from '../../application/options/options.ts';
import type { Problem } from '../../errors.ts';
import { collectProblems, ConfigError } from '../../errors.ts';
import type { Settings } from '../../application/options/options.ts';
import { readChildRunInput } from '../child-run-input.ts';
import { isObject } from '../../json/is-object.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { nearest } from '../../text/nearest.ts';
import { isCredentialName } from '../../secrets/credential-name.ts';
import { quote } from '../../text/quote.ts';
import { readGivenFile } from '../../json/text-file.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';
import { CONNECTOR_NAMES, hasTwoConnectors } from '../../model/axis-names.ts';
import type { Given, GivenSources, GivenValues } from '../../variables/given.ts';

/** The flags that set variables. */
export type VariableFlags = Pick<Flags, 'childRunInput' | 'matrix' | 'var' | 'varFile'> & {
  /** The values of an earlier run; they replace all others. */
  given?: GivenValues;
  /** The values of a program. */
  program?: { values?: Record<string, unknown> };
};

export type RunValues = { given: GivenValues; places: GivenSources };

type Sources = {
  settings: Pick<Settings, 'preset' | 'presets'>;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
};

/** More wrong values of a file are only counted. */
const MAX_WRONG = 50;
const FROM_ENV = 'ASSAY_VAR_';

/** True for places that many runs share: their values may be meant for other runs. */
export function isShared(place: string | undefined): boolean {
  return place !== undefined && (place.startsWith(FROM_ENV) || place.startsWith('preset '));
}

/** True if anything gives a value to a variable; most runs of `assay test` are without. */
export function hasRunValues(
  flags: VariableFlags,
  { settings, env }: Pick<Sources, 'env' | 'settings'>,
): boolean {
  const { var: typed, varFile, matrix, given, childRunInput, program } = flags;
  const isSaid = [typed, varFile, matrix, given, childRunInput, settings.preset, program?.values].some(
    (one) => one !== undefined,
  );
  return isSaid || Object.keys(env).some((name) => name.startsWith(FROM_ENV) && env[name] !== '');
}

/** Reads the values of all places; throws ConfigError with all problems. */
export async function readRunValues(
  flags: VariableFlags,
  { settings, env, cwd }: Sources,
): Promise<RunValues> {
  const problems: Problem[] = [];
  if (flags.given !== undefined) return again(flags.given, assignments(flags.var ?? [], '--var', problems));
  const values = new Map<string, { given: Given; at: string }>();
  const take = (at: string, found: Record<string, Given>): void => {
    for (const [name, given] of Object.entries(found)) values.set(name, { given, at });
  };
  // From the weakest to the strongest.
  for (const preset of settings.preset ?? []) take(`preset ${preset}`, presetOf(preset, settings, problems));
  for (const [name, text] of Object.entries(env)) {
    if (name.startsWith(FROM_ENV) && text !== undefined && text !== '')
      take(name, { [name.slice(FROM_ENV.length)]: { text } });
  }
  for (const file of flags.varFile ?? []) take(file, await fileOf(file, cwd, problems));
  take('--var', assignments(flags.var ?? [], '--var', problems));
  const program = programValues(flags.childRunInput);
  take('variables', { ...program.values, ...asValues(flags.program?.values ?? {}) });
  const matrix = { ...matrixOf(flags.matrix ?? [], problems), ...program.matrix };
  if (hasTwoConnectors(Object.keys(matrix)))
    problems.push({
      message: `${CONNECTOR_NAMES.join(' and ')} are the same axis`,
      at: '--matrix',
      hint: 'give the connectors by one name: --matrix connector=a,b',
    });
  for (const varied of Object.keys(matrix)) {
    // Both names of the connector mean the same thing.
    for (const name of CONNECTOR_NAMES.includes(varied) ? CONNECTOR_NAMES : [varied]) {
      if (values.get(name)?.at === '--var')
        problems.push({
          message:
            name === varied
              ? `${name} is given by --var and by --matrix`
              : `--var ${name} and --matrix ${varied} both choose the connector`,
          hint: 'leave one of them out',
        });
      // A matrix wins over a value from elsewhere.
      values.delete(name);
    }
  }
  if (problems.length > 0) throw ConfigError.of(problems);
  const given = Object.fromEntries([...values].map(([name, one]) => [name, one.given]));
  const places = Object.fromEntries([...values].map(([name, { at }]) => [name, at]));
  for (const name of Object.keys(matrix)) places[name] = '--matrix';
  return { given: { values: given, matrix }, places };
}

/** The values of an earlier run; its log does not hold secrets, so they must be given again. */
function again({ values, matrix }: GivenValues, typed: Record<string, Given>): RunValues {
  const all = { ...values, ...typed };
  const masked = Object.keys(all).filter((name) => {
    const one = all[name];
    const text = one === undefined ? undefined : 'text' in one ? one.text : one.value;
    return isCredentialName(name) && typeof text === 'string' && text.includes('***');
  });
  if (masked.length > 0)
    throw new ConfigError(`the log does not hold the secret value of ${masked.join(', ')}`, {
      hint: `give it again: --var ${String(masked[0])}=…`,
    });
  return { given: { values: all, matrix }, places: {} };
}

/** The values of `--child-run-input`. */
function programValues(file: string | undefined): GivenValues {
  const { values = {}, texts = {}, matrix = {} } = readChildRunInput(file);
  const typed = Object.entries(texts).map(([name, text]) => [name, { text }] as const);
  const lists = Object.entries(matrix).map(([name, list]) => [name, asList(list)] as const);
  return { values: { ...asValues(values), ...Object.fromEntries(typed) }, matrix: Object.fromEntries(lists) };
}

function asList(values: readonly unknown[]): Given[] {
  return values.map((value) => ({ value }));
}

function presetOf(
  preset: string,
  { presets = {} }: Sources['settings'],
  problems: Problem[],
): Record<string, Given> {
  const values = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (values !== undefined) return asValues(values);
  const names = Object.keys(presets);
  const near = nearest(preset, names);
  const all = names.length === 0 ? 'assay.config has no "presets"' : `there is ${names.join(', ')}`;
  problems.push({
    message: `no preset ${quote(preset)}`,
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : all,
  });
  return {};
}

async function fileOf(file: string, cwd: string, problems: Problem[]): Promise<Record<string, Given>> {
  const parse = file.endsWith('.json') ? parseJsonDocument : parseYamlDocument;
  const document = await collectProblems(problems, async () =>
    parse(await readGivenFile(resolve(cwd, file), file), file),
  );
  if (document === undefined) return {};
  const { value, lineOf } = document;
  if (value === null || value === undefined) return {};
  if (!isObject(value)) {
    problems.push({
      message: 'expected variables and their values',
      at: file,
      hint: 'like Temperature: 0.3',
    });
    return {};
  }
  const wrong = Object.entries(value).filter(
    ([, one]) => !['string', 'number', 'boolean'].includes(typeof one),
  );
  for (const [name] of wrong.slice(0, MAX_WRONG)) {
    const at = `${file}:${String(lineOf([name]))}`;
    problems.push({ message: `${name}: expected a text, a number, or true or false`, at });
  }
  if (wrong.length > MAX_WRONG)
    problems.push({ message: `and ${wrong.length - MAX_WRONG} more wrong values`, at: file });
  return asValues(value);
}

function asValues(values: Record<string, unknown>): Record<string, Given> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, { value }]),
  );
}

/** `Name=value`; the value may have further equals signs. */
function assignments(
  texts: readonly string[],
  flag: string,
  problems: Problem[],
): Record<string, { text: string }> {
  const found: [string, { text: string }][] = [];
  for (const text of texts) {
    const end = text.indexOf('=');
    const name = text.slice(0, end).trim();
    if (end === -1 || name === '')
      problems.push({
        message: `${quote(text)} is no assignment`,
        at: flag,
        hint: `write ${flag} ${flag === '--matrix' ? 'Name=a,b' : 'Name=value'}`,
      });
    else found.push([name, { text: text.slice(end + 1) }]);
  }
  return Object.fromEntries(found);
}

/** `Name=a,b`; the same name again adds values. */
function matrixOf(texts: readonly string[], problems: Problem[]): Record<string, Given[]> {
  const matrix = new Map<string, string[]>();
  for (const text of texts) {
    for (const [name, { text: list }] of Object.entries(assignments([text], '--matrix', problems))) {
      const values = list.split(',').map((value) => value.trim());
      if (values.includes(''))
        problems.push({
          message: `${quote(text)} has an empty value`,
          at: '--matrix',
          hint: 'write --matrix Name=a,b',
        });
      const known = matrix.get(name) ?? [];
      const twice = values.find((value, index) => known.includes(value) || values.indexOf(value) !== index);
      if (twice !== undefined && twice !== '')
        problems.push({
          message: `${name}: ${quote(twice)} is in the list twice`,
          at: '--matrix',
          hint: '--runs repeats cases',
        });
      matrix.set(name, [...known, ...values]);
    }
  }
  return Object.fromEntries([...matrix].map(([name, values]) => [name, values.map((text) => ({ text }))]));
}
