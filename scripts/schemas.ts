// Writes schemas/*.schema.json, which editors use to complete and check case and context files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { publishedSchemas } from '../src/load/schema.ts';

mkdirSync('schemas', { recursive: true });
for (const [name, schema] of Object.entries(publishedSchemas())) {
  writeFileSync(`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
}
