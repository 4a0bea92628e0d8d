// The page that shows runs: the web app in one file, with a policy that forbids all other scripts.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { escapeHtml } from './html-text.ts';

export type Page = {
  /** The page up to the data of a report. */
  head: string;
  end: string;
  /** The Content-Security-Policy that the page states as well. */
  policy: string;
};

export type PageOptions = {
  title: string;
  version: string;
  /** `report`: the data is in the file; `viewer`: a server has it. */
  mode: 'report' | 'viewer';
};

/** Builds the page. */
export async function appPage({ title, version, mode }: PageOptions): Promise<Page> {
  const { script, style } = await readApp();
  const policy = contentPolicy(mode, cspHash(script), cspHash(style));
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

/** Answers are untrusted: even if one of them became markup, the browser would load and run nothing of it. */
function contentPolicy(mode: PageOptions['mode'], script: string, style: string): string {
  const network = mode === 'viewer' ? "connect-src 'self'; " : '';
  return `default-src 'none'; script-src '${script}'; style-src '${style}'; ${network}base-uri 'none'; form-action 'none'`;
}

function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Reads the web app, which the build puts beside the program. */
async function readApp(): Promise<{ script: string; style: string }> {
  const read = (name: string): Promise<string> => readFile(new URL(`web/${name}`, import.meta.url), 'utf8');
  const [script, style] = await Promise.all([read('app.js'), read('app.css')]);
  return { script, style };
}
