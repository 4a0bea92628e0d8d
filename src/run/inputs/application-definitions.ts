// The definitions of the application that the user is in, with what their variables may choose from.

import { resolve } from 'node:path';
import { listAgents } from '../../agents/find-agent.ts';
import { findApplicationRoot } from '../../application/root.ts';
import { readConfigFile } from '../../application/config-file.ts';
import { resolveSettings } from '../../application/settings.ts';
import type { Definitions } from '../../definitions/read-definitions.ts';
import { readDefinitions } from '../../definitions/read-definitions.ts';
import type { Problem } from '../../errors.ts';
import type { Settings } from '../../model/settings.ts';
import { evaluateInWorker } from '../../execute/evaluate.ts';
import { displayPath } from '../../platform/paths.ts';
import { isFolder } from '../../platform/file-stats.ts';
import type { Entities } from '../../variables/check-schema.ts';
import type { Io } from '../io.ts';

export type ApplicationDefinitions = {
  root: string;
  definitions: Definitions;
  /** What is wrong with their files. */
  problems: Problem[];
  entities: Entities;
};

/** Where definitions are unless the configuration says otherwise. */
const FOLDER = 'tests';

/** Reads them all; what is wrong with them is told and not thrown. */
export async function applicationDefinitions(
  io: Pick<Io, 'cwd' | 'env'>,
  flags: { tests?: string },
): Promise<ApplicationDefinitions & { settings: Settings }> {
  const { cwd, env } = io;
  const root = findApplicationRoot(cwd, cwd);
  const config = await readConfigFile(root, (file) => evaluateInWorker(file, root));
  const settings = resolveSettings({ flags, env, config, root });
  const { tests } = settings;
  return { ...(await definitionsBelow({ root, cwd, tests })), settings };
}

/** The definitions of an application whose settings are known. */
export async function definitionsBelow({
  root,
  cwd,
  tests = FOLDER,
}: {
  root: string;
  cwd: string;
  tests?: string | undefined;
}): Promise<ApplicationDefinitions> {
  const entities = await entitiesOf(root);
  const folder = resolve(root, tests);
  const { definitions, problems } = await readDefinitions(folder, { cwd, entities });
  if (tests !== FOLDER && !isFolder(folder))
    problems.push({ message: `there is no folder ${displayPath(folder, cwd)}`, at: 'the setting "tests"' });
  return { root, definitions, problems, entities };
}

export async function entitiesOf(root: string): Promise<Entities> {
  const { listConnectors } = await import('../../connectors/find-connector.ts');
  const { findSkills } = await import('../../kinds/skill/catalogue.ts');
  const skills = await findSkills(root, { warn: () => undefined });
  return {
    connectors: listConnectors({ root }),
    agents: await listAgents(root),
    skills: skills.map(({ name }) => name),
  };
}
