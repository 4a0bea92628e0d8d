// The frame of the HTML report: one file that loads nothing, runs nothing and takes its colours from the reader's system.

import { createHash } from 'node:crypto';
import { escapeHtml } from './html-text.ts';

const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1c2024; --dim: #60646c; --line: #d9dce1; --block: #f5f6f8; --good: #16794c; --bad: #c4242b; --warn: #a25c00; }
@media (prefers-color-scheme: dark) {
  :root { --back: #15171a; --text: #e6e8eb; --dim: #9ba1a8; --line: #33373d; --block: #1e2125; --good: #4cc38a; --bad: #ff7b72; --warn: #f0b429; }
}
body { margin: 0 auto; padding: 1.5rem; max-width: 70rem; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { margin: 1.2rem 0 .4rem; font-size: 1.1rem; }
h4 { margin: .8rem 0 .2rem; font-size: .85rem; color: var(--dim); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.figures b { display: block; font-size: 1.5rem; }
.facts, .note, .time, .why { color: var(--dim); }
.note { font-size: .85rem; }
.unfinished { color: var(--warn); font-weight: 600; }
pre { margin: .2rem 0; padding: .6rem .8rem; background: var(--block); border-radius: 6px; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
table { margin: 0 0 1rem; border-collapse: collapse; overflow-wrap: anywhere; }
th, td { padding: .2rem 1.2rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; }
th { color: var(--dim); font-weight: 600; }
ins, del { text-decoration: none; }
ins, :is(.failed, .error) > summary > .status { color: var(--bad); }
del, .passed > summary > .status { color: var(--good); }
:is(.timeout, .shaky) > summary > .status { color: var(--warn); }
.skipped > p > .status { color: var(--dim); }
.case { border-top: 1px solid var(--line); content-visibility: auto; contain-intrinsic-size: auto 2.4rem; overflow-wrap: anywhere; }
.case > summary, .case > p { margin: 0; padding: .4rem .2rem; }
summary { cursor: pointer; }
.body { padding: 0 0 1rem 1.2rem; }
.body p, .body ul { margin: .3rem 0; }
.status { display: inline-block; min-width: 6rem; font-weight: 600; }
.why { display: block; padding-left: 7.2rem; }
.filter { margin-right: 1rem; }
main { margin-top: .6rem; }
#failed:checked ~ main > :is(.passed, .skipped), #skipped:checked ~ main > :not(.skipped) { display: none; }
`;

/** Everything before the body's content. */
export function pageHead(title: string, version: string): string {
  // Answers are hostile: should one of them ever become markup, the browser still loads and runs nothing.
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="assay ${escapeHtml(version)}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
`;
}

export const PAGE_END = '</body>\n</html>\n';

/** Buttons that choose what is listed in the `main` that follows; they need no script. */
export function filterHtml(counts: { total: number; failed: number; skipped: number }): string {
  const button = (id: string, label: string, isChosen = false) =>
    `<input type="radio" name="filter" id="${id}"${isChosen ? ' checked' : ''}> <label class="filter" for="${id}">${label}</label>\n`;
  return (
    button('all', `All (${counts.total})`, true) +
    button('failed', `Not passed (${counts.failed})`) +
    button('skipped', `Skipped (${counts.skipped})`)
  );
}
