// The page that shows runs: the web app in one file, and a policy that lets the browser run nothing else.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { escapeHtml } from './html-text.ts';

export type Page = {
  /** Up to where a report has its data. */
  head: string;
  end: string;
  /** The same policy that the page itself states. */
  policy: string;
};

export type PageOptions = {
  title: string;
  version: string;
  /** `report`: the data is in the file; `viewer`: a server has it. */
  mode: 'report' | 'viewer';
};

/** Puts the page together. */
export async function appPage({ title, version, mode }: PageOptions): Promise<Page> {
  const { script, style } = await readApp();
  const policy = policyOf(mode, hashOf(script), hashOf(style));
  const head = `<!doctype html>
<html lang="en" data-mode="${mode}">
<head>
<meta charset="utf-8">
<meta name="generator" content="assay ${escapeHtml(version)}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<script type="module">${script}</script>
</head>
<body>
<div id="app"></div>
`;
  return { head, end: '</body>\n</html>\n', policy };
}

/** Answers are hostile: should one of them ever become markup, the browser still loads and runs nothing of it. */
function policyOf(mode: PageOptions['mode'], script: string, style: string): string {
  const network = mode === 'viewer' ? "connect-src 'self'; " : '';
  return `default-src 'none'; script-src '${script}'; style-src '${style}'; ${network}base-uri 'none'; form-action 'none'`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** As the build has put it beside the program. */
async function readApp(): Promise<{ script: string; style: string }> {
  const read = (name: string): Promise<string> => readFile(new URL(`web/${name}`, import.meta.url), 'utf8');
  const [script, style] = await Promise.all([read('app.js'), read('app.css')]);
  return { script, style };
}
