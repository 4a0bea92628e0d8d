// The built-in test types.

import type { TestTypeDefinition } from '../model/definition.ts';

export const BUILT_IN_TYPES: readonly TestTypeDefinition[] = [
  {
    id: 'agent-eval',
    name: 'Agent Eval',
    description: 'Cases that an agent answers',
    kind: 'agent-eval',
    variablesSchema: {
      schemaVersion: '1.0',
      variables: [
        {
          name: 'AIConfiguration',
          displayName: 'AI Configuration',
          description: 'The connector that the agent calls its model with',
          dataType: 'string',
          valueSource: 'entity',
          entity: 'connectors',
          required: false,
        },
        {
          name: 'Temperature',
          displayName: 'Temperature',
          description: 'How freely the model answers: 0 always the same, 1 creative',
          dataType: 'number',
          valueSource: 'freeform',
          required: false,
        },
        {
          name: 'MaxTokens',
          displayName: 'Max Tokens',
          description: 'How long an answer of the model may be',
          dataType: 'number',
          valueSource: 'freeform',
          required: false,
        },
      ],
    },
  },
  { id: 'script', name: 'Script', description: 'Test… functions of a script', kind: 'script' },
  { id: 'skill', name: 'Skill', description: 'The test file of a skill', kind: 'skill' },
];
