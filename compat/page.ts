// Reads the documentation page about the agents in this folder.

import { readFileSync } from 'node:fs';

const PAGE = readFileSync('docs/frameworks.md', 'utf8');

/** The files that the page shows, by name. */
export function pageFiles(): Record<string, string> {
  const blocks = PAGE.matchAll(/^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$/gms);
  return Object.fromEntries([...blocks].map(([, name = '', text = '']) => [name, text]));
}

/** The agents that its commands name. */
export function pageAgents(): string[] {
  return [...PAGE.matchAll(/assay test -i weather\.jsonl -n (\S+)/g)].map(([, agent = '']) => agent);
}

export function pageCases(): object[] {
  const lines = (pageFiles()['weather.jsonl'] ?? '').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as object);
}

/** The result of the first case according to the page. */
export function pageTranscript(): unknown {
  return JSON.parse(pageFiles()['agents/transcript.json'] ?? '');
}
