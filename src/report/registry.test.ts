import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { mixedRun, sourceOf, textOfReport } from '../../test/fixtures/logs/agent-log.ts';
import { csvReport } from './formats/csv.ts';
import { jsonReport } from './formats/json.ts';
import { jsonlReport } from './formats/jsonl.ts';
import { junitReport } from './formats/junit.ts';
import { markdownReport } from './formats/markdown.ts';
import { summaryReport } from './formats/summary.ts';
import type { Format } from './registry.ts';
import { formatFor, isBuiltIn } from './registry.ts';

const render = (format: Format): Promise<string> => textOfReport(format(sourceOf(mixedRun())));

function problemOf(path: string, reporter?: string): unknown {
  try {
    return formatFor(path, reporter);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

test('loads the format of an extension or reporter', async () => {
  expect(await render(formatFor('run.jsonl'))).toBe(await render(jsonlReport));
  expect(await render(formatFor('report.csv'))).toBe(await render(csvReport));
  expect(await render(formatFor('a/report.json'))).toBe(await render(jsonReport));
  expect(await render(formatFor('report.md'))).toBe(await render(markdownReport));
  expect(await render(formatFor('junit.xml'))).toBe(await render(junitReport));
  expect(await render(formatFor('summary.txt', 'report.summary'))).toBe(await render(summaryReport));
});

test('takes the reporter first, then the extension; .jsonl is always the log', () => {
  const log = formatFor('run.jsonl');
  expect(formatFor('report.JSONL')).toBe(log);
  expect(formatFor('-')).toBe(log);
  expect(formatFor('run.jsonl', 'report.markdown')).toBe(log);
  expect(formatFor('-', 'report.html')).toBe(formatFor('report.html'));
  expect(formatFor('report.md', 'report.json')).toBe(formatFor('report.json'));
  expect(formatFor('-', 'report.markdown')).toBe(formatFor('report.md'));
});

test('lists the formats when the extension is unknown', () => {
  expect(problemOf('report.pdf')).toEqual([
    {
      message: 'the output report.pdf has the unknown extension ".pdf"',
      hint: 'use one of .csv, .html, .json, .jsonl, .md, .xml, or name a reporter with -r',
    },
  ]);
  expect(problemOf('report')).toEqual([
    {
      message: 'the output report has no file extension',
      hint: 'use one of .csv, .html, .json, .jsonl, .md, .xml, or name a reporter with -r',
    },
  ]);
});

test('asks the caller for the format of a reporter that is not built in', () => {
  const asked: string[] = [];
  const other = (extension: string): Format => {
    asked.push(extension);
    return summaryReport;
  };
  expect(formatFor('report.HTML', 'press', other)).toBe(summaryReport);
  expect(formatFor('-', 'constructor', other)).toBe(summaryReport);
  expect(formatFor('run.jsonl', 'press', other)).toBe(formatFor('run.jsonl'));
  expect(formatFor('report.md', 'report.json', other)).toBe(formatFor('report.json'));
  expect(asked).toEqual(['.html', '', '.jsonl']);
  expect(['report.json', 'report.html', 'press', 'constructor'].map(isBuiltIn)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
