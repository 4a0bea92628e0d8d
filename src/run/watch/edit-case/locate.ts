// A case file and the place of a case in it come in; where its `expected` stands, and how to write another one, goes out.

import { extname } from 'node:path';

/** Which case of a file is meant. */
export type CasePlace = {
  id: string;
  /** The line that the case begins on. */
  line: number;
  /** The names that the field may have in the file: `expected`, or what `--map` renames to it. */
  names: readonly string[];
};

/** The place of a value in a text, and the case that has it. */
export type Located = {
  start: number;
  end: number;
  /** The case as it stands in the file. */
  value: Record<string, unknown>;
  /** The name of the field in the file. */
  name: string;
  /** True if the format has only texts. */
  isTextOnly?: true;
  /** The value as the file writes it. */
  write(value: unknown): string;
};

export type Locate = (text: string, place: CasePlace) => Located | string | Promise<Located | string>;

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

export const NOT_THERE = 'the case is no longer where it was';
export const NO_EXPECTED = 'the case itself has no "expected"; it comes from elsewhere, such as "defaults"';
