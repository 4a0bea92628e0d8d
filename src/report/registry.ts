// The report formats, by reporter id and by file extension.

import { extname } from 'node:path';
import { ConfigError } from '../errors.ts';
import type { EventSource } from '../model/sink.ts';
import { csvReport } from './formats/csv.ts';
import { htmlReport } from './formats/html.ts';
import { jsonReport } from './formats/json.ts';
import { jsonlReport } from './formats/jsonl.ts';
import { junitReport } from './formats/junit.ts';
import { markdownReport } from './formats/markdown.ts';
import { summaryReport } from './formats/summary.ts';

/** A report format: a log in, chunks of text out, in constant memory. It may read the log more than once. */
export type Format = (source: EventSource) => AsyncIterable<string>;

/** Creates the format of a custom reporter for a file extension. */
export type ReporterFormat = (extension: string) => Format;

const REPORTERS: Record<string, Format> = {
  'report.html': htmlReport,
  'report.json': jsonReport,
  'report.markdown': markdownReport,
  'report.summary': summaryReport,
};

const EXTENSIONS: Record<string, Format> = {
  '.csv': csvReport,
  '.html': htmlReport,
  '.json': jsonReport,
  '.jsonl': jsonlReport,
  '.md': markdownReport,
  '.xml': junitReport,
};

export const BUILT_IN_REPORTERS: readonly string[] = Object.keys(REPORTERS);

/** True unless the reporter is a custom one. */
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
    return extension === '.jsonl' ? jsonlReport : format;
  }
  if (path === '-') return jsonlReport;
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
  throw new Error(`unknown reporter ${reporter}`);
}
