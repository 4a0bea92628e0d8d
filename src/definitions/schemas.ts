// The shapes of definition files as JSON Schemas, for editors.

import type { Check } from './check-shape.ts';
import { aSuite, aTest, aTestType } from './shapes.ts';

/** The files in `schemas/` that describe definitions, by name. */
export function definitionSchemas(): Record<string, unknown> {
  return {
    'suite.schema.json': published('Assay suite', aSuite),
    'test.schema.json': published('Assay test', aTest),
    'type.schema.json': published('Assay test type', aTestType),
  };
}

/** Draft 7 is the newest that editors know whole. */
function published(title: string, { schema }: Check): unknown {
  const draft = { $schema: 'http://json-schema.org/draft-07/schema#' };
  // VS Code's words, for comments in a .json file.
  return { ...draft, title, allowComments: true, allowTrailingCommas: true, ...schema };
}
