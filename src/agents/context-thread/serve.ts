// One call of a member in, its answer out.

import type { ToolCall } from '../../model/agent.ts';
import type { Spending } from '../../model/spending.ts';
import { joinSpending } from '../../model/spending.ts';
import {
  loadMemories,
  loadMocks,
  saveMemories,
  sessionOf,
  withRequest,
} from '../../scripts/context/session.ts';
import type {
  MemberAnswer,
  MemberCall,
  MemberEvent,
  MemberFailure,
} from '../../scripts/context/thread-protocol.ts';
import type { Directory } from '../adapter.ts';
import { openDirectory } from '../resolve/directory.ts';
import { learnSecrets } from '../../secrets/learned.ts';
import { callAgents } from './call-agents.ts';
import { callModels } from './call-models.ts';
import { callTools } from './call-tools.ts';
import { toFailure } from './failure.ts';

/** What a group of members works with. */
export type MemberDeps = MemberCall & {
  directory: Directory;
  tell(event: MemberEvent): void;
  /** Collects what the call did beside its value. */
  done: { calls: ToolCall[]; spent: Spending; unmeasured?: MemberFailure };
};

type Group = (method: string, args: unknown[], deps: MemberDeps) => Promise<unknown>;

const GROUPS: Record<string, Group> = { agent: callAgents, llm: callModels, mcp: callTools };

const directories = new Map<string, Directory>();

export async function serve(call: MemberCall, tell: (event: MemberEvent) => void): Promise<MemberAnswer> {
  const { member, args, context, memories, ids, host } = call;
  const [group = '', method = ''] = member.split('.');
  loadMemories(context, memories);
  if (call.mocks !== undefined) loadMocks(context, call.mocks);
  const { sent } = sessionOf(context).request;
  sent.ids = ids;
  const done: MemberDeps['done'] = { calls: [], spent: {} };
  const directory = directoryOf(host.root);

  const answer: MemberAnswer = {};
  try {
    const work = GROUPS[group];
    if (work === undefined) throw new Error(`there is no group ${group}`);
    answer.value = await work(method, args, { ...call, directory, tell, done });
  } catch (error) {
    answer.failure = toFailure(error);
  }
  // Tools of the assistant itself run here, with a context of this session.
  const own = withRequest({ output: null, tool_calls: done.calls }, context);
  if (done.unmeasured !== undefined) answer.unmeasured = done.unmeasured;
  if ((own.tool_calls ?? []).length > 0) answer.calls = own.tool_calls ?? [];
  const spent = joinSpending(done.spent, own);
  if (Object.keys(spent).length > 0) answer.spent = spent;
  if (own.sent_messages !== undefined) answer.sent = own.sent_messages;
  if (own.trace !== undefined) answer.trace = own.trace;
  answer.ids = sent.ids;
  const { mocks } = sessionOf(context);
  if (mocks !== undefined) answer.counts = mocks.save().counts;
  const after = saveMemories(context);
  if (JSON.stringify(after) !== JSON.stringify(memories)) answer.memories = after;
  return answer;
}

function directoryOf(root: string): Directory {
  const known = directories.get(root);
  if (known !== undefined) return known;
  const directory = openDirectory({ root, cwd: process.cwd(), env: process.env, learn: learnSecrets });
  directories.set(root, directory);
  return directory;
}
