// `assay/config`: all that a configuration file needs. It is loaded with every run, and the whole API would take longer.

export { defineConfig } from './application/define-config.ts';
export type { AssayConfig } from './application/options/options.ts';
