// `assay flaky`: cases whose outcomes differ although nothing changed, and entries for the quarantine.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openApplication } from '../../application/open.ts';
import type { FlagsOf } from '../../application/options/options.ts';
import { ConfigError } from '../../errors.ts';
import { withStore } from '../../history/store/application-store.ts';
import type { Store } from '../../history/store/store.ts';
import { readTextFile } from '../../json/text-file.ts';
import { EXIT } from '../../model/exit-code.ts';
import { QUARANTINE_FILE } from '../../model/quarantine.ts';
import { displayPath } from '../../platform/paths.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { addEntries, entriesText } from '../../quarantine/add-entries.ts';
import { markCases } from '../../quarantine/mark-cases.ts';
import type { Proposal } from '../../quarantine/propose.ts';
import { proposeEntries } from '../../quarantine/propose.ts';
import { readQuarantine } from '../../quarantine/read-quarantine.ts';
import type { Io } from '../../run/io.ts';
import { didYouMean } from '../../text/nearest.ts';
import { flakyTable } from './flaky-table.ts';
import { programName } from '../../platform/how-started.ts';

type FlakyFlags = FlagsOf<'flaky'>;

/** `test`: only the cases of this test. */
export async function flakyCommand(
  test: string | undefined,
  flags: FlakyFlags,
  io: Io,
  now: Date = new Date(),
): Promise<number> {
  const file = await quarantineFile(flags, io);
  const name = displayPath(file, io.cwd);
  const entries = await readQuarantine(file, { name, now });
  return withStore(flags, io, async (store) => {
    if (test !== undefined) await refuseUnknown(test, store);
    const { cases: all, is_complete } = await store.flakyCases();
    const own = test === undefined ? all : all.filter(({ test_id }) => test_id === test);
    const cases = markCases(own, entries);
    const [newest] = await store.runs({ limit: 1, ...(test !== undefined && { test }) });
    const proposal = proposeEntries(cases, { entries, total: newest?.total_cases ?? 0, now });
    if (flags.write === true && proposal.entries.length > 0) {
      const text = existsSync(file) ? readTextFile(file, name) : '';
      replaceFile(file, await addEntries(text, proposal.entries, { name, now }));
    }

    if (flags.json === true)
      io.stdout.write(`${JSON.stringify({ cases, is_complete, proposal }, null, 2)}\n`);
    else if (flags.write === true) io.stdout.write(writtenText(proposal, name));
    else if (flags.propose === true) io.stdout.write(await proposalText(proposal));
    else io.stdout.write(flakyTable(cases, { test, proposal }));
    if (!is_complete)
      io.stderr.write('Very many cases have flipped; only the first 1000 of them were looked at.\n');
    return EXIT.passed;
  });
}

/** A name that is typed wrong has no flaky cases, which is no good news. */
async function refuseUnknown(test: string, store: Store): Promise<void> {
  const tests = (await store.recentTests()).map(({ test_id }) => test_id);
  if (tests.includes(test) || (await store.runs({ test, limit: 1 })).length > 0) return;
  throw new ConfigError(`no run in ${store.place} has a test ${JSON.stringify(test)}`, {
    hint: didYouMean(test, tests) ?? `name a test as ${programName()} history does, like tests/inputs.jsonl`,
  });
}

async function quarantineFile({ quarantine }: FlakyFlags, { cwd, env }: Io): Promise<string> {
  const { root, settings } = await openApplication({ cwd, env, flags: { quarantine } });
  const { quarantine: named } = settings;
  return named === undefined || named === 'off' ? join(root, QUARANTINE_FILE) : resolve(cwd, named);
}

/** YAML that can be pasted; remarks are comments. */
async function proposalText(proposal: Proposal): Promise<string> {
  const { entries } = proposal;
  const remarks = entries.length === 0 ? ['No flaky case is without an entry.'] : [];
  const lines = [...(proposal.left_out > 0 ? [leftOutText(proposal)] : remarks)].map((text) => `# ${text}\n`);
  return `${await entriesText(entries)}${lines.join('')}`;
}

function writtenText(proposal: Proposal, name: string): string {
  const { entries } = proposal;
  const added = entries.map((entry) => `  ${entry.case}, until ${entry.expires}\n`).join('');
  const head =
    entries.length === 0
      ? `Nothing to add to ${name}.\n`
      : `Added to ${name}; write who repairs them and why they flip:\n`;
  return `${head}${added}${proposal.left_out > 0 ? `${leftOutText(proposal)}\n` : ''}`;
}

function leftOutText({ left_out, most }: Proposal): string {
  const cases = left_out === 1 ? '1 more case is' : `${String(left_out)} more cases are`;
  return `${cases} flaky, but at most ${String(most)} should be in quarantine (5 %).`;
}
