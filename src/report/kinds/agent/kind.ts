// Cases for agents, as reports show them.

import type { LoggedInput } from '../../../model/event.ts';
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
  usesEnvironment: 'if set',
  inputName(input) {
    if (input.type === 'message') return JSON.stringify(oneLine(input.message, 60));
    const module = moduleOf(input);
    return module ?? ('path' in input ? input.path : input.type);
  },
  inputTitle(input) {
    if (input.type === 'message') return input.message;
    if (input.type === 'file') return input.generated ?? input.path;
    return 'path' in input ? input.path : input.type;
  },
  isInputOf(input, testId) {
    if (input.type === 'message') return testId.startsWith('message');
    if (!('path' in input)) return false;
    const path = moduleOf(input) ?? input.path;
    return path === testId || path.endsWith(`/${testId}`) || testId.endsWith(`/${path}`);
  },
  rerunWords(input, only) {
    if (input.type === 'message') return ['test', '-i', input.message];
    const module = moduleOf(input);
    if (module !== undefined) return ['test', '-i', module, ...only];
    if (input.type !== 'file' || input.path === '-' || input.generated !== undefined) return undefined;
    return ['test', '-i', input.path, ...only];
  },
};

/** The module that made the cases, which people know them by. */
function moduleOf(input: LoggedInput): string | undefined {
  const generated = input.type === 'file' ? input.generated : undefined;
  return generated !== undefined && /\.[cm]?[jt]s$/.test(generated) ? generated : undefined;
}
