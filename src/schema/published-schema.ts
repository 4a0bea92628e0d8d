// The content of a file in schemas/, for editors.

import type { JsonSchema, Shape } from './shape.ts';

const DRAFTS = {
  '2020-12': { $schema: 'https://json-schema.org/draft/2020-12/schema' },
  // The newest draft that editors support completely. VS Code then permits comments in a .json file.
  'draft-07': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    allowComments: true,
    allowTrailingCommas: true,
  },
};

export function publishedSchema(title: string, shape: Shape, draft: keyof typeof DRAFTS): JsonSchema {
  const { $schema, ...comments } = DRAFTS[draft];
  return { $schema, title, ...comments, ...shape.schema() };
}
