// Assertions on tool calls.

import { isObject } from '../../json/is-object.ts';
import type { AssertionContext, Converter, GivenAssertion, Written } from './given.ts';

export const TOOLS: Record<string, Converter> = {
  'tool-call-f1': toolCallF1,
  'trajectory:tool-args-match': toolArguments,
  'trajectory:tool-sequence': toolSequence,
  'trajectory:tool-used': toolUsed,
};

function toolUsed({ value, at, name }: GivenAssertion, { losses }: AssertionContext): Written | undefined {
  const names = [value].flat();
  if (names.length > 0 && names.every((one) => typeof one === 'string')) {
    const all = names.map((one) => ({ type: 'tool_called', value: one }));
    return all.length === 1 ? all[0] : { type: 'all_of', value: all };
  }
  if (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    value['max'] === undefined &&
    (value['min'] ?? 1) === 1
  )
    return { type: 'tool_called', value: value['name'] };
  return void losses.missing(
    at,
    name,
    'calls are not counted',
    'write an expression: tool_calls.length <= 2',
  );
}

function toolArguments(
  { value, at, name }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string')
    return void losses.missing(at, name, 'the value names no tool');
  const call = { name: value['name'], arguments: value['args'] ?? value['arguments'] ?? {} };
  if (value['mode'] !== 'exact') return { type: 'tool_called', value: call };
  return { type: 'trajectory', value: [call], mode: 'superset' };
}

function toolSequence(
  { value, at, name }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  const steps = isObject(value) ? value['steps'] : value;
  const isExact = isObject(value) && value['mode'] === 'exact';
  const calls = Array.isArray(steps)
    ? steps.map((step: unknown) => (isObject(step) ? step['name'] : step))
    : [];
  if (isExact && calls.length > 0 && calls.every((call) => typeof call === 'string'))
    return { type: 'trajectory', value: calls };
  return void losses.missing(
    at,
    name,
    'other calls may come between these in promptfoo; a trajectory here has no such mode',
    '"mode": "superset" checks the calls without their order',
  );
}

function toolCallF1(
  { value, threshold = 1, at, name }: GivenAssertion,
  { losses }: AssertionContext,
): Written | undefined {
  const names = typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value;
  if (threshold !== 1 || !Array.isArray(names))
    return void losses.missing(at, name, 'there is no score for tool calls', 'write {"type": "trajectory"}');
  losses.changed(at, name, 'a tool that is called twice counts twice here');
  return { type: 'trajectory', value: names, mode: 'unordered', arguments: 'ignore' };
}
