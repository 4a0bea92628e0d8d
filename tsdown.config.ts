import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { cli: 'src/cli.ts', index: 'src/index.ts', worker: 'src/execute/worker.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: { resolver: 'oxc' },
  clean: true,
  hash: false,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});
