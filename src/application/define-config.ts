import type { AssayConfig } from './options/options.ts';

/**
 * Types the default export of assay.config.ts; gives the configuration as it is.
 *
 * @example export default defineConfig({ runs: 3, timeout: '30s' })
 */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
