// Adds entries to the text of a quarantine file and changes not a character of what is there.

import { ConfigError } from '../errors.ts';
import { isBlank, parseQuarantine } from './read-quarantine.ts';
import type { ProposedEntry } from './propose.ts';
import { programName } from '../platform/how-started.ts';

const HEAD = '# Cases whose failures do not fail a run, each with a reason and an end.\n';

/** The entries as YAML. */
export async function entriesText(entries: readonly ProposedEntry[]): Promise<string> {
  if (entries.length === 0) return '';
  const { stringify } = await import('yaml');
  return stringify(entries, { lineWidth: 0 });
}

/** The text of the file with the entries at its end; an empty text becomes a new file. Throws if they have no place in it. */
export async function addEntries(
  text: string,
  entries: readonly ProposedEntry[],
  { name, now }: { name: string; now: Date },
): Promise<string> {
  const before = await parseQuarantine(text, { name, now });
  const added = await entriesText(entries);
  const start = text === '' ? HEAD : text.endsWith('\n') ? text : `${text}\n`;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const margin = isBlank(text) ? '' : (/^( *)- /m.exec(text)?.[1] ?? '');
  const lines = added.split('\n').map((line) => (line === '' ? '' : `${margin}${line}`));
  const whole = `${start}${lines.join(lineEnd)}`;

  const after = await parseQuarantine(whole, { name, now }).catch(() => []);
  if (after.length === before.length + entries.length) return whole;
  throw new ConfigError(
    `entries cannot be added to ${name}: it is not a list with "- case: …" on lines of its own`,
    {
      hint: `${programName()} flaky --propose prints the entries; paste them`,
    },
  );
}
