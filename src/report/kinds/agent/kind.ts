// Cases for agents, as reports show them.

import { oneLine } from '../../../text/untrusted.ts';
import type { ReportKind } from '../kind.ts';
import { agentFailure } from './failure.ts';

export const agentReport: ReportKind = {
  id: 'agent-eval',
  noun: 'case',
  verb: 'test',
  title: 'Agent',
  subjectName: ({ agent_id }) => agent_id,
  failureOf: agentFailure,
  hasInput: true,
  headerInputs: 'Input',
  headerCases: { label: 'Cases' },
  usesEnvironment: true,
  inputName(input) {
    if (input.type === 'message') return JSON.stringify(oneLine(input.message, 60));
    return 'path' in input ? input.path : input.type;
  },
  inputTitle(input) {
    if (input.type === 'message') return input.message;
    if (input.type === 'file') return input.generated ?? input.path;
    return 'path' in input ? input.path : input.type;
  },
  isInputOf(input, testId) {
    if (input.type === 'message') return testId.startsWith('message');
    if (!('path' in input)) return false;
    const { path } = input;
    return path === testId || path.endsWith(`/${testId}`) || testId.endsWith(`/${path}`);
  },
  rerunWords(input, only) {
    if (input.type === 'message') return ['test', '-i', input.message];
    if (input.type !== 'file' || input.path === '-' || input.generated !== undefined) return undefined;
    return ['test', '-i', input.path, ...only];
  },
};
