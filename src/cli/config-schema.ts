// The JSON Schema of assay.config.json and assay.config.yml, for editors.

import { SETTINGS } from '../application/options/options.ts';

/** The schema; each key is described by the help of its option. */
export function configSchema(): unknown {
  const keys = SETTINGS.flatMap(({ help, setting }) =>
    setting.key === undefined ? [] : [{ ...setting, key: setting.key, help: setting.help ?? help }],
  ).sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Assay configuration',
    allowComments: true,
    allowTrailingCommas: true,
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'the schema of this file, for editors' },
      ...Object.fromEntries(
        keys.map(({ key, help, parse }) => [key, { description: help, ...parse.schema }]),
      ),
    },
    additionalProperties: false,
  };
}
