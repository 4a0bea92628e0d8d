import type { Starter } from './starter.ts';

/** The text of assay.config.ts. */
export function configText({ beforeAll, input, name }: Starter): string {
  const text = (value: string): string =>
    `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
  return `import { defineConfig } from 'assay/config';

export default defineConfig({
  // What "assay test" runs: a case file, a pattern such as 'tests/*.cases.yml', or a list of them.
  input: ${text(input)},
${name === undefined ? '' : `  // The agent: a file, a Python file, an address, or the folder or id of an assistant.\n  name: ${text(name)},\n`}${beforeAll === undefined ? '' : `  // Starts the example server; delete this when "name" is the address of your own agent.\n  before_all: ${text(beforeAll)},\n`}
  // Run every case so often, to see how stable the answers are.
  // runs: 3,
  // So many cases at the same time.
  // parallel: 4,
  // The limit for one case.
  // timeout: '60s',
});
`;
}
