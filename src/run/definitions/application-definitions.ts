// The definitions of an application, with the connectors, agents and skills that their variables may choose from.

import { resolve } from 'node:path';
import { listAgents } from '../../agents/resolve/find-agent.ts';
import type { Application, OpenOptions } from '../../application/open.ts';
import { openApplication } from '../../application/open.ts';
import type { Definitions } from '../../definitions/read-definitions.ts';
import { readDefinitions } from '../../definitions/read-definitions.ts';
import type { Problem } from '../../errors.ts';
import { displayPath } from '../../platform/paths.ts';
import { isFolder } from '../../platform/file-stats.ts';
import type { Entities } from '../../variables/check-schema.ts';

export type ApplicationDefinitions = {
  root: string;
  definitions: Definitions;
  /** Problems of their files. */
  problems: Problem[];
  entities: Entities;
};

/** Where definitions are unless the configuration says otherwise. */
const FOLDER = 'tests';

/** Opens the application and reads its definitions; problems of their files are returned, not thrown. */
export async function applicationDefinitions({
  cwd,
  env,
}: Pick<OpenOptions, 'cwd' | 'env'>): Promise<Application & ApplicationDefinitions> {
  const application = await openApplication({ cwd, env });
  const { root, settings } = application;
  return { ...application, ...(await definitionsBelow({ root, cwd, tests: settings.tests })) };
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
