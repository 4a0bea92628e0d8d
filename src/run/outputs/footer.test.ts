import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SummaryEvent } from '../../model/event.ts';
import { EXIT } from '../../model/exit-code.ts';
import { footer } from './footer.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'assay-footer-')));
afterAll(() => rmSync(cwd, { recursive: true }));
writeFileSync(join(cwd, 'report.html'), '');

function footerOf(summary: Partial<SummaryEvent>, verb = 'test'): string {
  const reports = ['report.html', 'missing.json'].map((name) => ({
    destination: join(cwd, name),
    format: async function* () {},
  }));
  const whole = { failed: 0, exit_code: EXIT.passed, ...summary } as SummaryEvent;
  return footer({ log: join(cwd, 'run.jsonl'), reports }, whole, { verb, cwd });
}

const WHERE = '  Log: run.jsonl\n  Report: report.html\n';

test('names the log, the reports that were written, and the command to go on with', () => {
  expect({
    passed: footerOf({}),
    failed: footerOf({ failed: 2, exit_code: EXIT.failed }),
    skills: footerOf({ failed: 1, exit_code: EXIT.failed }, 'skills'),
    interrupted: footerOf({ failed: 1, exit_code: EXIT.interrupted }),
  }).toEqual({
    passed: WHERE,
    failed: `${WHERE}  Run again what failed: assay test --failed run.jsonl\n`,
    skills: `${WHERE}  Run again what failed: assay skills --failed run.jsonl\n`,
    interrupted: `${WHERE}  Go on: assay test --resume run.jsonl\n`,
  });
});
