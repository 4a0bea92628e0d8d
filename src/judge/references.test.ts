import { expect, test } from 'vitest';
import { collectReferences } from './references.ts';

test('collects what assertions point at, each name once', () => {
  expect(
    collectReferences([
      { type: 'equals', value: 'agents:none' },
      { type: 'script', script: 'scripts.test.A' },
      { type: 'script', script: 'scripts.test.A' },
      { type: 'script', script: 'scripts.test.B' },
      { type: 'agent', use: 'agents:judge', value: 'polite' },
      { type: 'agent', use: 'strict', value: 'short', options: { connector: 'openai' } },
      { type: 'agent', connector: 'local', value: 'short', options: { connector: 'openai' } },
      { type: 'similar', value: 'x' },
      { type: 'similar', value: 'x', connector: 'vectors' },
      { type: 'command', value: ['python3', 'check.py'] },
      { type: 'equals', value: 'x', transform: 'scripts.test.C' },
      { type: 'equals', value: 'x', transform: 'output.scripts' },
    ]),
  ).toEqual({
    agents: ['agents:judge', 'strict'],
    connectors: ['openai', 'local'],
    embedders: ['vectors'],
    scripts: ['scripts.test.A', 'scripts.test.B', 'scripts.test.C'],
    commands: ['["python3","check.py"]'],
  });
});

test('assertions that point at nothing need nothing', () => {
  expect(collectReferences([{ type: 'agent', value: 'x', use: '' }, { type: 'script' }])).toEqual({
    agents: [],
    connectors: [],
    embedders: [],
    scripts: [],
    commands: [],
  });
});
