// The report formats, by reporter id and by file extension.

import { extname } from 'node:path';
import { ConfigError } from '../errors.ts';
import type { EventSource } from '../model/sink.ts';

/** A report format: a log in, chunks of text out, in constant memory. It may read the log more than once. */
export type Format = (source: EventSource) => AsyncIterable<string>;

/** Creates the format of a custom reporter for a file extension. */
export type ReporterFormat = (extension: string) => Format;

const csv = onDemand(async () => (await import('./formats/csv.ts')).csvReport);
const html = onDemand(async () => (await import('./formats/html.ts')).htmlReport);
const json = onDemand(async () => (await import('./formats/json.ts')).jsonReport);
const jsonl = onDemand(async () => (await import('./formats/jsonl.ts')).jsonlReport);
const junit = onDemand(async () => (await import('./formats/junit.ts')).junitReport);
const markdown = onDemand(async () => (await import('./formats/markdown.ts')).markdownReport);
const summary = onDemand(async () => (await import('./formats/summary.ts')).summaryReport);

const REPORTERS: Record<string, Format> = {
  'report.html': html,
  'report.json': json,
  'report.markdown': markdown,
  'report.summary': summary,
};

const EXTENSIONS: Record<string, Format> = {
  '.csv': csv,
  '.html': html,
  '.json': json,
  '.jsonl': jsonl,
  '.md': markdown,
  '.xml': junit,
};

export const BUILT_IN_REPORTERS: readonly string[] = Object.keys(REPORTERS);

/** False for the id of an agent that writes the report. */
export function isBuiltIn(reporter: string): boolean {
  return BUILT_IN_REPORTERS.includes(reporter);
}

/**
 * The format of a destination: that of the named reporter, else that of the extension. `.jsonl` is always the log.
 * `other` creates the format of a custom reporter.
 */
export function formatFor(path: string, reporter?: string, other?: ReporterFormat): Format {
  const extension = path === '-' ? '' : extname(path).toLowerCase();
  if (reporter !== undefined) {
    const isOther = other !== undefined && !isBuiltIn(reporter);
    const format = isOther ? other(extension) : builtInFormat(reporter);
    return extension === '.jsonl' ? jsonl : format;
  }
  if (path === '-') return jsonl;
  const format = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (format !== undefined) return format;
  const known = Object.keys(EXTENSIONS).join(', ');
  const what = extension === '' ? 'no file extension' : `the unknown extension "${extension}"`;
  throw new ConfigError(`the output ${path} has ${what}`, {
    hint: `use one of ${known}, or name a reporter with -r`,
  });
}

function builtInFormat(reporter: string): Format {
  const format = Object.hasOwn(REPORTERS, reporter) ? REPORTERS[reporter] : undefined;
  if (format !== undefined) return format;
  throw new Error(`unresolved reporter ${reporter}`);
}

/** Loads a format when the first report is made: most runs make none. */
function onDemand(load: () => Promise<Format>): Format {
  return async function* (source) {
    const format = await load();
    yield* format(source);
  };
}
