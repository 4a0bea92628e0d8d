// The options of the verbs that read definitions, the history and recordings, as far as the verbs that run tests do not have them.

import type { Option } from './option.ts';

export const QUERY_OPTIONS = {
  types: { flag: '--types', verbs: ['list'], help: 'only types' },
  tests: { flag: '--tests', verbs: ['list'], help: 'only tests' },
  suites: { flag: '--suites', verbs: ['list'], help: 'only suites' },
  showVariables: {
    flag: '--show-variables',
    verbs: ['list'],
    help: 'their variables: type, allowed values, value, and where it comes from',
  },
  agent: {
    flag: '--agent <id>',
    verbs: ['history', 'init'],
    help: 'only runs of this agent',
    helpFor: {
      init: 'what it is: function, ai-sdk, mastra, langgraph, openai-agents, http, python or assistant',
    },
    complete: 'agents',
  },
  workflow: { flag: '--workflow', verbs: ['init'], help: 'also write a workflow for GitHub' },
  runner: {
    group: 'output',
    flag: '--runner <name>',
    verbs: ['skills'],
    help: 'with new: write a test for node (node:test) or vitest',
  },
  limit: { flag: '--limit <n>', verbs: ['history'], help: 'how many (default: 20)' },
  latest: {
    flag: '--latest',
    verbs: ['compare'],
    help: 'the last run, and the ones before it that tested the same version',
  },
  self: {
    flag: '--self <run>',
    verbs: ['compare'],
    help: 'the noise of one run, from its own repetitions',
  },
  keep: { flag: '--keep <n>', verbs: ['prune'], help: 'keep the newest runs' },
  olderThan: {
    flag: '--older-than <duration>',
    verbs: ['prune'],
    help: 'remove only older runs, like 720h',
  },
  propose: {
    flag: '--propose',
    verbs: ['flaky'],
    help: 'print entries for the quarantine as YAML, for at most 5 % of the cases',
  },
  write: { flag: '--write', verbs: ['flaky'], help: 'add these entries to quarantine.yml' },
  port: {
    flag: '--port <n>',
    verbs: ['view'],
    help: 'port on this machine; 0 for any (default: 4477, or the next free one)',
  },
  open: { flag: '--open', verbs: ['view'], help: 'open it in the browser' },
  line: { flag: '--line <text>', verbs: ['__complete'], help: 'the line that Bash has', hidden: true },
  breaks: { flag: '--breaks <characters>', verbs: ['__complete'], help: 'COMP_WORDBREAKS', hidden: true },
} as const satisfies { [attribute: string]: Option };
