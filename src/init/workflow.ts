// The workflow that runs the tests on GitHub.

import type { AgentType } from './agent-type.ts';
import type { PackageManager, Project } from './project.ts';

/** How each package manager installs what is locked, and starts the program. */
const MANAGERS: {
  [Name in PackageManager]: { setUp?: string; install: string; loose: string; exec: string };
} = {
  bun: {
    setUp: 'oven-sh/setup-bun@v2',
    install: 'bun install --frozen-lockfile',
    loose: 'bun install',
    exec: 'bunx',
  },
  npm: { install: 'npm ci', loose: 'npm install', exec: 'npx' },
  pnpm: {
    setUp: 'pnpm/action-setup@v4',
    install: 'pnpm install --frozen-lockfile',
    loose: 'pnpm install',
    exec: 'pnpm exec',
  },
  yarn: { install: 'yarn install --frozen-lockfile', loose: 'yarn install', exec: 'yarn' },
};

/** The text of .github/workflows/assay.yml. `command` is that of `assay`, without the program. */
export function workflowText(
  type: AgentType,
  { project, command }: { project: Project; command: string },
): string {
  const { belowGit, hasLock, manager, manifest, packages } = project;
  const { setUp, install, loose, exec } = MANAGERS[manager];
  const hasAssay = Object.hasOwn(packages, 'assay');
  const start = hasAssay ? `${exec} assay` : 'npx --yes assay';
  const folder = belowGit === '' ? '' : `${belowGit}/`;
  const steps = [
    '- uses: actions/checkout@v4',
    ...(setUp === undefined ? [] : [`- uses: ${setUp}`]),
    '- uses: actions/setup-node@v4\n  with:\n    node-version: 22',
    ...(type === 'python' ? ["- uses: actions/setup-python@v5\n  with:\n    python-version: '3.x'"] : []),
    ...(manifest === undefined ? [] : [`- run: ${hasLock ? install : loose}`]),
    `- run: ${start} ${command} --output assay-report/report.md --output assay-report/junit.xml\n  # Keys of models are secrets of the repository:\n  # env:\n  #   OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}`,
    `- run: cat assay-report/report.md >> "$GITHUB_STEP_SUMMARY"\n  if: \${{ !cancelled() && hashFiles('${folder}assay-report/report.md') != '' }}`,
    `- uses: actions/upload-artifact@v4\n  if: \${{ !cancelled() }}\n  with:\n    name: assay\n    path: ${folder}assay-report/\n    if-no-files-found: ignore`,
  ];
  const inFolder =
    belowGit === ''
      ? ''
      : `    defaults:\n      run:\n        working-directory: ${JSON.stringify(belowGit)}\n`;
  return `# Runs the tests of the agent on every pull request and every push to the main branch.
name: Agent tests

on:
  pull_request:
  push:
    branches: [main, master]

permissions:
  contents: read

jobs:
  assay:
    runs-on: ubuntu-latest
    timeout-minutes: 30
${inFolder}    steps:
${steps.map((step) => step.replaceAll(/^/gm, '      ')).join('\n')}
`;
}
