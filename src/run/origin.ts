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
  const { commit, branch = branchOf(env) } = repository;
  const head: GitOrigin = { commit, ...(branch !== undefined && { branch }) };
  const git = repository.dirty.then((dirty) => (dirty === undefined ? undefined : { ...head, dirty }));
  const inTime = await Promise.race([git, giveUp()]);
  if (inTime !== 'late') return { known: { git: inTime ?? head, ...known } };
  return { known: { git: head, ...known }, late: git };
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

/**
 * The variables in which services name the branch: first that of a pull request and the one it goes into, then that of a push.
 * They check out a commit, not a branch.
 */
const BRANCHES: readonly { source?: string; target?: string; push: string }[] = [
  { source: 'GITHUB_HEAD_REF', target: 'GITHUB_BASE_REF', push: 'GITHUB_REF' },
  {
    source: 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
    target: 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
    push: 'CI_COMMIT_BRANCH',
  },
  {
    source: 'SYSTEM_PULLREQUEST_SOURCEBRANCH',
    target: 'SYSTEM_PULLREQUEST_TARGETBRANCH',
    push: 'BUILD_SOURCEBRANCH',
  },
  { source: 'CHANGE_BRANCH', target: 'CHANGE_TARGET', push: 'BRANCH_NAME' },
  { push: 'BUILDKITE_BRANCH' },
  { push: 'CIRCLE_BRANCH' },
  { push: 'BITBUCKET_BRANCH' },
];

/** The branch that a CI service names. A fork's branch with the name of the target is not that branch. */
function branchOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const read = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : env[name];
    // A tag or the merge of a pull request is no branch.
    return value === undefined || /^refs\/(?!heads\/)/.test(value)
      ? undefined
      : value.replace(/^refs\/heads\//, '') || undefined;
  };
  for (const { source, target, push } of BRANCHES) {
    const from = read(source);
    if (from !== undefined) return from === read(target) ? undefined : from;
    const pushed = read(push);
    if (pushed !== undefined) return pushed;
  }
  return undefined;
}
