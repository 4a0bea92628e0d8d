// The files of `assay compare -o`: the kind of each by its extension.

import { resolve } from 'node:path';
import { ConfigError } from '../../errors.ts';
import type { Comparison } from '../../model/comparison.ts';
import { comparisonHtml } from '../../report/comparison/html.ts';
import { comparisonJson } from '../../report/comparison/json.ts';
import type { SideLabels } from '../../report/comparison/labels.ts';
import { comparisonMarkdown } from '../../report/comparison/markdown.ts';
import { writeReportFile } from '../../report/formats/write-report.ts';

export type ComparisonFile = {
  path: string;
  render: (comparison: Comparison, labels: SideLabels) => string;
};

/** Throws ConfigError if an extension is not known. */
export function comparisonFiles(outputs: readonly string[]): ComparisonFile[] {
  const problems = outputs.flatMap((path) =>
    rendererFor(path) === undefined
      ? [{ message: `the output ${path} has an unknown extension`, hint: 'use .json, .md or .html' }]
      : [],
  );
  if (problems.length > 0) throw ConfigError.of(problems);
  return outputs.flatMap((path) => {
    const render = rendererFor(path);
    return render === undefined ? [] : [{ path, render }];
  });
}

/** Writes all that can be written, then throws RuntimeError if one could not be. */
export async function writeComparison(
  files: readonly ComparisonFile[],
  { comparison, labels }: { comparison: Comparison; labels: SideLabels },
  cwd: string,
): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const { path, render } of files) {
    try {
      await writeReportFile(once(render(comparison, labels)), resolve(cwd, path));
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function rendererFor(path: string): ComparisonFile['render'] | undefined {
  if (path.endsWith('.json')) return comparisonJson;
  if (path.endsWith('.md')) return comparisonMarkdown;
  return /\.html?$/.test(path) ? comparisonHtml : undefined;
}
