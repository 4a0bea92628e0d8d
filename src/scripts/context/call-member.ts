// Calls a member of the context that needs another process or machine: a mock, a recording or the thread answers.

import { AttemptError } from '../../errors.ts';
import type { ContextData } from '../../model/context.ts';
import { joinSpending } from '../../model/spending.ts';
import { currentTape } from '../../platform/tape-scope.ts';
import { learnSecrets } from '../../secrets/learned.ts';
import { plainCopy } from './plain-copy.ts';
import { loadMemories, saveMemories, sessionOf } from './session.ts';
import { callBlocking } from './thread.ts';
import type { ContextHost, MemberAnswer, MemberEvent, MemberFailure } from './thread-protocol.ts';

/** Whose member is called. */
export type Caller = {
  data: ContextData;
  /** The context with what user code changed in it. */
  current(): ContextData;
  host: ContextHost | undefined;
  waiting?: ((reason: AttemptError) => () => void) | undefined;
};

export type OnChunk = (index: number, id: string, message: Record<string, unknown>) => void;

/** The value that the member returns; `member` is `mcp.CallTool`. Throws what the member throws. */
export function callMember(caller: Caller, member: string, args: unknown[], onChunk?: OnChunk): unknown {
  const [group = '', method = ''] = member.split('.');
  const given = plainCopy(args, `ctx.${member}`) as unknown[];
  const live = (): MemberAnswer => askThread(caller, member, given, onChunk);
  const tape = currentTape();
  if (tape === undefined) return accept(caller, member, live());
  let isLive = false;
  const answer = tape.askBlocking({ to: `ctx.${group}`, method, params: { arguments: given } }, () => {
    isLive = true;
    return live();
  });
  if (!isLive) for (const { index, id, message } of answer.chunks ?? []) onChunk?.(index, id, message);
  return accept(caller, member, answer);
}

function askThread(
  caller: Caller,
  member: string,
  args: unknown[],
  onChunk: OnChunk | undefined,
): MemberAnswer {
  const { host, data } = caller;
  if (host === undefined) throw new TypeError(`ctx.${member} is not available here`);
  const chunks: NonNullable<MemberAnswer['chunks']> = [];
  let release: (() => void) | undefined;
  const onEvent = (event: MemberEvent): void => {
    if (event.type === 'secrets') return learnSecrets(event.secrets);
    if (event.type === 'waiting') {
      release?.();
      const { reason } = event;
      release =
        reason === undefined ? undefined : caller.waiting?.(new AttemptError(reason.code, reason.message));
      return;
    }
    const { index, id, message } = event;
    if (onChunk === undefined) return;
    chunks.push({ index, id, message });
    onChunk(index, id, message);
  };
  const { mocks, request } = sessionOf(data);
  const context = caller.current();
  const memories = saveMemories(data);
  try {
    const answer = callBlocking(
      {
        member,
        args,
        host,
        context,
        memories,
        ids: { ...request.sent.ids },
        ...(mocks !== undefined && { mocks: mocks.save() }),
      },
      onEvent,
    );
    return chunks.length === 0 ? answer : { ...answer, chunks };
  } finally {
    release?.();
  }
}

/** Keeps everything that the call did beside its value, which is returned. */
function accept({ data }: Caller, member: string, answer: MemberAnswer): unknown {
  const { value, failure, unmeasured, calls = [], spent, sent = [], trace = [], logs = [] } = answer;
  if (answer.memories !== undefined) loadMemories(data, answer.memories);
  const { mocks, request } = sessionOf(data);
  if (answer.counts !== undefined) mocks?.recount(answer.counts);
  request.calls.push(...calls);
  if (spent !== undefined) request.spent = joinSpending(request.spent, spent);
  request.sent.messages.push(...sent);
  if (answer.ids !== undefined) request.sent.ids = answer.ids;
  request.trace.entries.push(...trace);
  request.trace.count += trace.length;
  for (const line of logs) console.log(line);
  const lost = failure?.code === undefined ? unmeasured : failure;
  if (lost !== undefined) {
    request.failure = attemptError(member, lost);
    if (failure === undefined) console.warn(`ctx.${member}: ${lost.message}`);
  }
  if (failure === undefined) return value;
  throw failure.code === undefined ? new Error(`ctx.${member}: ${failure.message}`) : request.failure;
}

function attemptError(member: string, { message, code = 'agent', is_final }: MemberFailure): AttemptError {
  return new AttemptError(code, `ctx.${member}: ${message}`, { isFinal: is_final ?? false });
}
