// The shape of assay.config.json and assay.config.yml as a JSON Schema, for editors.

import { Command } from 'commander';
import { describeConfig } from '../application/settings.ts';
import type { Handlers } from './define.ts';
import { defineCommands } from './define.ts';

/** What no option describes. */
const WITHOUT_OPTION: Record<string, string> = {
  presets: 'values of variables by a name of your own, for --preset',
  tapes: 'what recordings are compared without, and addresses that may be reached in a replay',
  tests: 'the folder of the definitions (default: tests)',
};

/** The schema; a setting is described as its option is in `--help`. */
export function configSchema(): unknown {
  // Nothing is run, so nothing is handled.
  const program = defineCommands(new Command(), { version: '' } as Handlers);
  const options = program.commands.flatMap((command) => command.options);
  const properties = describeConfig().map(({ key, flag, schema }) => {
    const option = options.find((one) => one.attributeName() === flag);
    return [key, { description: option?.description ?? WITHOUT_OPTION[key], ...schema }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Assay configuration',
    allowComments: true,
    allowTrailingCommas: true,
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'the schema of this file, for editors' },
      ...Object.fromEntries(properties),
    },
    additionalProperties: false,
  };
}
