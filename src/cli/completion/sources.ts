// Reads the definitions, connectors, agents and skills of an application for completion. It runs nothing and skips what cannot be read.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findApplicationRoot } from '../../application/root.ts';
import { CONFIG_FILES } from '../../application/config-file.ts';
import type { Definitions } from '../../definitions/read-definitions.ts';
import { isObject } from '../../json/is-object.ts';
import { parseJsonDocument } from '../../json/jsonc.ts';
import { parseYamlDocument } from '../../json/yaml-document.ts';
import type { Io } from '../../run/io.ts';

export type Sources = {
  definitions(): Promise<Definitions>;
  presets(): Promise<string[]>;
  connectors(): Promise<string[]>;
  agents(): Promise<string[]>;
  skills(): Promise<{ name: string; description?: string }[]>;
};

/** Each source is read when it is first asked for. */
export function completionSources({ cwd, env }: Pick<Io, 'cwd' | 'env'>): Sources {
  const root = findApplicationRoot(cwd, cwd);
  return {
    definitions: () =>
      orElse<Definitions>({ types: [], tests: [], suites: [] }, async () => {
        const { tests } = await peekConfig(root);
        const folder = env['ASSAY_TESTS'] || (typeof tests === 'string' ? tests : 'tests');
        const { readDefinitions } = await import('../../definitions/read-definitions.ts');
        const { definitions } = await readDefinitions(resolve(root, folder), { cwd });
        return definitions;
      }),
    async presets() {
      const { presets } = await peekConfig(root);
      return isObject(presets) ? Object.keys(presets) : [];
    },
    connectors: () =>
      orElse([], async () => {
        const { listConnectors } = await import('../../connectors/find-connector.ts');
        return listConnectors({ root });
      }),
    agents: () =>
      orElse([], async () => {
        const { listAgents } = await import('../../agents/resolve/find-agent.ts');
        return listAgents(root);
      }),
    skills: () =>
      orElse([], async () => {
        const { nearestSkills } = await import('../../kinds/skill/skill-files.ts');
        const { findSkills } = await import('../../kinds/skill/catalogue.ts');
        return findSkills(findApplicationRoot(cwd, nearestSkills(cwd)), { warn: () => undefined });
      }),
  };
}

/** The configuration, if it is JSON or YAML. A module is skipped: it would have to be run. */
function peekConfig(root: string): Promise<Record<string, unknown>> {
  return orElse({}, async () => {
    const name = CONFIG_FILES.find((one) => existsSync(join(root, one)));
    if (name === undefined || !/\.(?:json|ya?ml)$/.test(name)) return {};
    const text = await readFile(join(root, name), 'utf8');
    const { value } = await (name.endsWith('.json') ? parseJsonDocument : parseYamlDocument)(text, name);
    return isObject(value) ? value : {};
  });
}

async function orElse<T>(fallback: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    return fallback;
  }
}
