// `--coverage`: which lines of the tested code the script tests have run.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CoverageFormat } from '../../kinds/script/coverage/report.ts';
import { loadMonocart } from '../../kinds/script/coverage/monocart.ts';
import { writeCoverage } from '../../kinds/script/coverage/report.ts';
import { ConfigError } from '../../errors.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { InputSource } from '../../kinds/registry.ts';

const FORMATS: readonly CoverageFormat[] = ['text', 'html', 'lcov'];
const OUT_DIR = 'coverage';

export type Coverage = {
  /** Where workers write their counts. */
  folder: string;
  /** Writes the reports; gives the text for the screen. */
  report(columns: number | undefined): Promise<string>;
  close(): void;
};

/** Checks the formats and the inputs before anything runs. */
export async function openCoverage(
  formats: string | true,
  sources: readonly InputSource[],
  { root, cwd }: { root: string; cwd: string },
): Promise<Coverage> {
  const wanted = formats === true ? ['text'] : formats.split(',').map((format) => format.trim());
  const unknown = wanted.find((format) => !isFormat(format));
  if (unknown !== undefined) {
    throw new ConfigError(`--coverage: unknown format "${unknown}"`, {
      hint: didYouMean(unknown, FORMATS) ?? `there are ${FORMATS.join(', ')}`,
    });
  }
  const scripts = sources.filter((source) => source.type === 'script');
  if (scripts.length === 0) {
    throw new ConfigError('--coverage is of script tests, and there are none among the inputs', {
      hint: 'name some: -i scripts.expense.setup',
    });
  }
  await loadMonocart(root);
  const folder = mkdtempSync(join(tmpdir(), 'assay-coverage-'));
  const include = [...new Set(scripts.map(({ file }) => dirname(file)))].flatMap(scriptsIn);
  return {
    folder,
    async report(columns) {
      const { text } = await writeCoverage({
        folder,
        formats: wanted.filter(isFormat),
        root,
        include,
        cwd,
        outDir: OUT_DIR,
        ...(columns !== undefined && { columns }),
      });
      const files = [wanted.includes('html') && 'index.html', wanted.includes('lcov') && 'lcov.info'];
      const written = files
        .filter((name) => name !== false)
        .map((name) => `  Coverage: ${OUT_DIR}/${name}\n`);
      return `${text === undefined ? '' : `\n${text.trimEnd()}\n`}${written.join('')}`;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Modules beside the tests are in the report even if no test loads them. */
function scriptsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.[cm]?[jt]sx?$/.test(name));
  return names.map((name) => join(folder, name));
}

function isFormat(format: string): format is CoverageFormat {
  return FORMATS.some((known) => known === format);
}
