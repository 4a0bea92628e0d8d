import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { htmlReport } from './formats/html.ts';
import { jsonReport } from './formats/json.ts';
import { jsonlReport } from './formats/jsonl.ts';
import { junitReport } from './formats/junit.ts';
import { markdownReport } from './formats/markdown.ts';
import { formatFor, isBuiltIn } from './registry.ts';
import { summaryReport } from './formats/summary.ts';

function problemOf(path: string, reporter?: string): unknown {
  try {
    return formatFor(path, reporter);
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

test('finds the format by extension, and by reporter first', () => {
  expect(formatFor('a/report.json')).toBe(jsonReport);
  expect(formatFor('report.JSONL')).toBe(jsonlReport);
  expect(formatFor('report.md')).toBe(markdownReport);
  expect(formatFor('junit.xml')).toBe(junitReport);
  expect(formatFor('report.html')).toBe(htmlReport);
  expect(formatFor('-', 'report.html')).toBe(htmlReport);
  expect(formatFor('-')).toBe(jsonlReport);
  expect(formatFor('summary.txt', 'report.summary')).toBe(summaryReport);
  expect(formatFor('report.md', 'report.json')).toBe(jsonReport);
  expect(formatFor('-', 'report.markdown')).toBe(markdownReport);
  expect(formatFor('run.jsonl', 'report.markdown')).toBe(jsonlReport);
});

test('says what there is when asked for something else', () => {
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

test('leaves a reporter that is not built in to whoever knows it', () => {
  const asked: string[] = [];
  const other = (extension: string): typeof jsonReport => {
    asked.push(extension);
    return summaryReport;
  };
  expect(formatFor('report.HTML', 'press', other)).toBe(summaryReport);
  expect(formatFor('-', 'constructor', other)).toBe(summaryReport);
  expect(formatFor('run.jsonl', 'press', other)).toBe(jsonlReport);
  expect(formatFor('report.md', 'report.json', other)).toBe(jsonReport);
  expect(asked).toEqual(['.html', '', '.jsonl']);
  expect(['report.json', 'report.html', 'press', 'constructor'].map(isBuiltIn)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
