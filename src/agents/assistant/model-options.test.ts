import { expect, test } from 'vitest';
import type { AgentDefinition } from '../../model/agent.ts';
import { modelOptions } from './model-options.ts';

type Options = Record<string, unknown>;
type Levels = { type?: Options; connector?: Options; package?: Options; variables?: Options; said?: Options };

function optionsOf(levels: Levels): Options {
  const definition: AgentDefinition = {
    id: 'a',
    run: { type: 'assistant', folder: '/', tool_loop: true, max_turn: 1 },
    ...(levels.package !== undefined && { options: levels.package }),
    ...(levels.variables !== undefined && { chosen: { options: levels.variables } }),
    ...(levels.type !== undefined && { defaults: { options: levels.type } }),
  };
  const connector = levels.connector === undefined ? {} : { options: levels.connector };
  return modelOptions(definition, connector, levels.said ?? {});
}

const older = (limit: number): Options => ({ max_tokens: limit });
const newer = (limit: number): Options => ({ max_completion_tokens: limit });

test.each<[Levels, Options]>([
  [
    { package: { ...older(1), seed: 2 }, said: newer(3) },
    { ...newer(3), seed: 2 },
  ],
  [{ package: newer(1), said: older(3) }, older(3)],
  [{ package: newer(1), variables: older(2) }, older(2)],
  [{ variables: older(2), said: newer(3) }, newer(3)],
  [{ type: older(4), package: newer(1) }, newer(1)],
  [{ type: older(4), connector: newer(1) }, {}],
  [{ type: older(4) }, older(4)],
  [{ type: older(4), said: newer(3) }, newer(3)],
  // A hook's options come after those of the case.
  [{ said: { ...newer(1), ...older(2) } }, older(2)],
  [{ said: { ...older(1), ...newer(2) }, variables: older(3) }, newer(2)],
])('of two names of one limit the higher level decides: %j', (levels, options) => {
  expect(optionsOf(levels)).toEqual(options);
});

test('the higher level decides about every option', () => {
  const levels = {
    type: { temperature: 0.7, top_p: 0.1, seed: 1 },
    connector: { seed: 2 },
    package: { top_p: 0.3, stop: 'a' },
    variables: { stop: 'b', user: 'x' },
    said: { user: 'y' },
  };
  expect(optionsOf(levels)).toEqual({ temperature: 0.7, top_p: 0.3, stop: 'b', user: 'y' });
});
