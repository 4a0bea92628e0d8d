// Builds the web app: one script and one style sheet, which reports and the viewer put into their page.

import { build } from 'esbuild';

await build({
  entryPoints: { app: 'web/main.tsx' },
  outdir: 'dist/web',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  // The first versions with DecompressionStream, which reads gzip inside a page.
  target: ['chrome103', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
