// The origin of a run: commit, program, machine, and the CI service that runs it.

import { arch, hostname, platform, release } from 'node:os';
import type { ProvenanceEvent } from '../model/event.ts';
import type { GitOrigin, RunOrigin } from '../model/origin.ts';
import type { Sink } from '../model/sink.ts';
import type { Repository } from './git.ts';
import { lookUpGit, topOf } from './git.ts';

/** The part that is known when a run starts, and the part that git is still working on. */
export type Origin = { known: RunOrigin; late?: Promise<GitOrigin | undefined> };

/** Cap on waiting for git at the start of a run; it has been working since before the run was planned. */
const GIT_WAIT_MS = 100;

/** Looks at the application; `early` is a repository that was looked at before it was known which one is meant. */
export async function originOf(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  early?: Repository,
): Promise<Origin> {
  const repository = early !== undefined && early.top === topOf(root) ? early : lookUpGit(root);
  const ci = ciOf(env);
  const known: RunOrigin = {
    node: process.version,
    os: `${platform()} ${release()} ${arch()}`,
    machine: hostname(),
    ...(ci !== undefined && { ci }),
  };
  if (repository === undefined) return { known };
  const { commit } = repository;
  const git = repository.dirty.then((dirty) => (dirty === undefined ? undefined : { commit, dirty }));
  const inTime = await Promise.race([git, giveUp()]);
  if (inTime !== 'late') return { known: { git: inTime ?? { commit }, ...known } };
  return { known: { git: { commit }, ...known }, late: git };
}

async function giveUp(): Promise<'late'> {
  return new Promise((done) => setTimeout(done, GIT_WAIT_MS, 'late').unref());
}

/** Tells sinks what git says as soon as it does, before the events that come then. */
export function withLateOrigin(sinks: readonly Sink[], { late }: Origin): readonly Sink[] {
  if (late === undefined) return sinks;
  let event: ProvenanceEvent | undefined;
  void late.then((git) => {
    if (git !== undefined) event = { type: 'provenance', git };
  });
  const all: Sink = {
    write(batch) {
      const told = event === undefined ? batch : [{ event, line: JSON.stringify(event) }, ...batch];
      event = undefined;
      for (const sink of sinks) sink.write(told);
    },
    running(count) {
      for (const sink of sinks) sink.running?.(count);
    },
  };
  return [all];
}

/** The variables by which services make themselves known. */
const SERVICES: Record<string, string> = {
  APPVEYOR: 'appveyor',
  BITBUCKET_BUILD_NUMBER: 'bitbucket',
  BUILDKITE: 'buildkite',
  CIRCLECI: 'circleci',
  CODEBUILD_BUILD_ID: 'codebuild',
  DRONE: 'drone',
  FORGEJO_ACTIONS: 'forgejo',
  GITEA_ACTIONS: 'gitea',
  GITHUB_ACTIONS: 'github',
  GITLAB_CI: 'gitlab',
  JENKINS_URL: 'jenkins',
  SEMAPHORE: 'semaphore',
  TEAMCITY_VERSION: 'teamcity',
  TF_BUILD: 'azure',
  TRAVIS: 'travis',
  WOODPECKER_CI: 'woodpecker',
};

function ciOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const isSet = (name: string): boolean => !['', '0', 'false', undefined].includes(env[name]?.toLowerCase());
  const service = Object.keys(SERVICES).find(isSet);
  if (service !== undefined) return SERVICES[service];
  return isSet('CI') ? 'ci' : undefined;
}
