// The formats of case files that can be edited in place.

import { extname } from 'node:path';
import type { Locate } from './located.ts';

/** How to find a case, by the ending of the file; a text is the reason why it cannot be edited. */
export async function locatorFor(file: string): Promise<Locate | string> {
  switch (extname(file).toLowerCase()) {
    case '.csv':
      return (await import('./locate-in-table.ts')).locateInCsv;
    case '.tsv':
      return (await import('./locate-in-table.ts')).locateInTsv;
    case '.json':
    case '.jsonl':
    case '.ndjson':
      return (await import('./locate-in-json.ts')).locateInJson;
    case '.yaml':
    case '.yml':
      return (await import('./locate-in-yaml.ts')).locateInYaml;
    default:
      return `a ${extname(file)} file cannot be edited here`;
  }
}
