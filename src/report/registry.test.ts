import { expect, test } from 'vitest';
import { ConfigError } from '../errors.ts';
import { jsonReport } from './json.ts';
import { jsonlReport } from './jsonl.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { formatFor } from './registry.ts';
import { summaryReport } from './summary.ts';

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
      hint: 'use one of .json, .jsonl, .md, .xml, or name a reporter with -r',
    },
  ]);
  expect(problemOf('report')).toEqual([
    {
      message: 'the output report has no file extension',
      hint: 'use one of .json, .jsonl, .md, .xml, or name a reporter with -r',
    },
  ]);
  expect(problemOf('x.md', 'report.markdwn')).toEqual([
    {
      message: 'unknown reporter "report.markdwn": agents as reporters are not available in this version',
      hint: 'did you mean "report.markdown"? (the built-in ones are report.json, report.markdown, report.summary)',
    },
  ]);
  expect(problemOf('x.md', 'constructor')).toEqual([
    {
      message: 'unknown reporter "constructor": agents as reporters are not available in this version',
      hint: 'the built-in ones are report.json, report.markdown, report.summary',
    },
  ]);
});

test('knows that HTML is still to come', () => {
  const hint = 'write Markdown instead: -r report.markdown -o report.md';
  const message = 'HTML reports are not available in this version';
  expect(problemOf('report.html')).toEqual([{ message, at: 'report.html', hint }]);
  expect(problemOf('x.html', 'report.html')).toEqual([{ message, at: 'report.html', hint }]);
});
