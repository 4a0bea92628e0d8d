// The shapes of definition files as JSON Schemas, for editors.

import type { Shape } from '../schema/shape.ts';
import { suiteShape, testShape, testTypeShape } from './shapes.ts';

/** The files in `schemas/` that describe definitions, by name. */
export function definitionSchemas(): Record<string, unknown> {
  return {
    'suite.schema.json': published('Assay suite', suiteShape),
    'test.schema.json': published('Assay test', testShape),
    'type.schema.json': published('Assay test type', testTypeShape),
  };
}

/** Draft 7 is the newest draft that editors support completely. */
function published(title: string, shape: Shape): unknown {
  const draft = { $schema: 'http://json-schema.org/draft-07/schema#' };
  // VS Code reads these two: they permit comments in a .json file.
  return { ...draft, title, allowComments: true, allowTrailingCommas: true, ...shape.schema() };
}
