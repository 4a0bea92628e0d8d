// The shapes of definition files as JSON Schemas, for editors.

import { publishedSchema } from '../schema/published-schema.ts';
import { suiteShape, testShape, testTypeShape } from './shapes.ts';

/** The files in `schemas/` that describe definitions, by name. */
export function definitionSchemas(): Record<string, unknown> {
  return {
    'suite.schema.json': publishedSchema('Assay suite', suiteShape, 'draft-07'),
    'test.schema.json': publishedSchema('Assay test', testShape, 'draft-07'),
    'type.schema.json': publishedSchema('Assay test type', testTypeShape, 'draft-07'),
  };
}
