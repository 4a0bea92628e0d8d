// Tools that a model may call: in promptfoo they are only described, here a tool server answers them.

import { isObject } from '../../json/is-object.ts';
import type { OutputFiles } from '../output/output-files.ts';
import { readValueFile } from '../source/value-file.ts';
import type { ProviderContext, Tool } from './provider.ts';

/** The tools of OpenAI's and of Anthropic's form. */
export async function readTools(
  value: unknown,
  at: string,
  { losses, folders }: ProviderContext,
): Promise<Tool[]> {
  if (value === undefined) return [];
  const given =
    typeof value === 'string' && value.startsWith('file://')
      ? await readValueFile(value, at, folders)
      : value;
  return [given].flat().flatMap((one): Tool[] => {
    const own = isObject(one) && isObject(one['function']) ? one['function'] : one;
    // The name is also that of a file.
    if (!isObject(own) || typeof own['name'] !== 'string' || !/^[\w-]+$/.test(own['name'])) {
      losses.missing(
        at,
        'providers: tools',
        'it is no description of a function',
        'write a tool server (docs/assistants.md#tools)',
      );
      return [];
    }
    const parameters = own['parameters'] ?? own['input_schema'];
    return [
      {
        name: own['name'],
        description: typeof own['description'] === 'string' ? own['description'] : undefined,
        parameters: isObject(parameters) ? parameters : { type: 'object' },
      },
    ];
  });
}

/** A tool server of an assistant whose functions do nothing yet; gives the part of package.yao that names it. */
export function addToolServer(assistant: string, tools: readonly Tool[], files: OutputFiles): object {
  const folder = `assistants/${assistant}`;
  const functions = tools.map((tool) => ({ ...tool, function: functionName(tool.name) }));
  files.add(`${folder}/mcps/tools.mcp.yao`, {
    transport: 'process',
    tools: Object.fromEntries(
      functions.map((tool) => [tool.name, `agents.${assistant}.tools.${tool.function}`]),
    ),
  });
  for (const { name, description, parameters } of tools)
    files.add(`${folder}/mcps/mapping/tools/schemes/${name}.in.yao`, {
      ...(description !== undefined && { description }),
      ...parameters,
      'x-process-args': [':arguments'],
    });
  files.add(
    `${folder}/src/tools.ts`,
    `// The model may call these functions. promptfoo only describes them, so they return nothing yet.\n${functions
      .map(
        ({ function: name }) =>
          `\nexport function ${name}(args: Record<string, unknown>) {\n  return {};\n}\n`,
      )
      .join('')}`,
  );
  // Without a loop the first answer of the model counts, as in promptfoo.
  return { servers: [`agents.${assistant}.tools`], options: { tool_loop: false } };
}

/** `get_weather` becomes `GetWeather`. */
function functionName(tool: string): string {
  const words = tool.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `Tool${name}`;
}
