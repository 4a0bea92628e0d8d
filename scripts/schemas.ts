// Writes the files that are derived from the source: docs/options.md, and schemas/*.schema.json, with which editors complete and check
// cases, contexts, definitions and configurations.

import { mkdirSync, writeFileSync } from 'node:fs';
import { configSchema } from '../src/cli/config-schema.ts';
import { definitionSchemas } from '../src/definitions/schemas.ts';
import { publishedSchemas } from '../src/kinds/agent/cases/schema.ts';
import { optionsPage } from './options-page.ts';

const schemas = { ...publishedSchemas(), ...definitionSchemas(), 'config.schema.json': configSchema() };
mkdirSync('schemas', { recursive: true });
for (const [name, schema] of Object.entries(schemas)) {
  writeFileSync(`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
}
writeFileSync('docs/options.md', optionsPage());
