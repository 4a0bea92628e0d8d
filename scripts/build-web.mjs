// Builds the web app: one script and one style sheet, which reports and the viewer put into their page.

import { build } from 'esbuild';

await build({
  entryPoints: { app: 'web/main.tsx' },
  outdir: 'dist/web',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // What reads gzip inside a page (DecompressionStream) came with these.
  target: ['chrome103', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
