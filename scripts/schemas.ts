// Writes the files that are derived from the source: docs/options.md, and schemas/*.schema.json, with which editors complete and check
// cases, contexts, definitions and configurations.

import { mkdirSync, writeFileSync } from 'node:fs';
import { configSchema } from '../src/cli/config-schema.ts';
import { definitionSchemas } from '../src/definitions/schemas.ts';
import { optionsPage } from './options-page.ts';
import { caseShape } from '../src/kinds/agent/cases/case.ts';
import { contextShape } from '../src/run/inputs/context-file.ts';
import { quarantineShape } from '../src/quarantine/entry.ts';
import { publishedSchema } from '../src/schema/published-schema.ts';

const schemas = {
  'case.schema.json': publishedSchema('Assay test case', caseShape, '2020-12'),
  'cases.schema.json': caseFileSchema(),
  'config.schema.json': configSchema(),
  'context.schema.json': publishedSchema('Assay test context', contextShape, '2020-12'),
  'quarantine.schema.json': publishedSchema('Assay quarantine', quarantineShape, 'draft-07'),
  ...definitionSchemas(),
};
mkdirSync('schemas', { recursive: true });
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
}
writeFileSync('docs/options.md', optionsPage());

/** A file with a list of cases; its first object may be the defaults of the others. */
function caseFileSchema(): object {
  const defaults = { type: 'object', properties: { defaults: { type: 'object' } }, required: ['defaults'] };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Assay case file',
    type: 'array',
    items: { anyOf: [{ $ref: 'case.schema.json' }, defaults] },
  };
}
