// Runs attempts in the process of the program that started the run: messages of a worker come in, and go out. It does not contain
// anything: no output is captured, nothing is killed, and an uncaught exception is the program's own.

import type { Agent, Directory } from '../../../agents/adapter.ts';
import { openAgentValue } from '../../../agents/agent-value.ts';
import { openAgent } from '../../../agents/registry.ts';
import { now } from '../../../execute/process/intrinsics.ts';
import type {
  Answer,
  FromWorker,
  ReceivedAttempt,
  SentAttempt,
  SharedPart,
  ToWorker,
} from '../../../execute/process/protocol.ts';
import { lazyDirectory } from '../../../execute/worker/lazy-directory.ts';
import { cloneJson } from '../../../json/clone-json.ts';
import type { CaseInput } from '../../../model/case.ts';
import { defaultChatId } from '../../../model/context.ts';
import type { AgentSubject } from '../../../model/subject.ts';
import { timeoutText } from '../../../text/duration.ts';
import { RunningAttempt } from './run-attempt.ts';

/** A burst of quick attempts may last this long before timers and signals have their turn. */
const TURN_MS = 5;

type Input = { part: SharedPart<AgentSubject>; directory: Directory; agent?: Agent | Promise<Agent> };

type RunnerOptions = {
  /** The function, or the agent of a framework, that agents of the type `function` are. */
  agent: unknown;
  env: Record<string, string | undefined>;
  send(message: FromWorker): void;
};

/** Does the work of a worker process, in this process. */
export class AttemptRunner {
  readonly #options: RunnerOptions;
  readonly #inputs: Input[] = [];
  readonly #running = new Map<number, RunningAttempt>();
  #queue: SentAttempt[] = [];
  #concurrency = 1;
  #retries = 0;
  #cwd = '';
  #isScheduled = false;
  #answers: Answer[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  receive(message: ToWorker): void {
    switch (message.type) {
      case 'enter':
        this.#retries = message.retries;
        this.#cwd = message.cwd;
        this.#options.send({ type: 'ready' });
        return;
      case 'shared':
        // The pool of agents sends nothing else.
        this.#share(message.shared, message.part as SharedPart<AgentSubject>);
        return;
      case 'run':
        this.#concurrency = message.concurrency;
        this.#queue.push(...message.attempts);
        this.#schedule();
        return;
      case 'drop':
        this.#options.send({ type: 'dropped', seqs: this.#queue.splice(0).map(({ seq }) => seq) });
        return;
      case 'go':
        this.#running.get(message.seq)?.go(cloned(message.input));
        return;
      case 'turn':
        this.#running.get(message.seq)?.turn(structuredClone(message.messages), message.timeout_ms);
        return;
      case 'end':
        this.#running.get(message.seq)?.end(message.status);
        return;
      case 'ping':
        this.#options.send({ type: 'pong', load: 0 });
        return;
      // Worker processes do this.
      case 'end-tape':
      case 'evaluate':
      case 'side-call':
        return;
    }
  }

  #share(number: number, part: SharedPart<AgentSubject>): void {
    const learn = (secrets: string[]): void => {
      if (secrets.length > 0) this.#options.send({ type: 'secrets', secrets });
    };
    const { env } = this.#options;
    const directory = lazyDirectory({ root: part.root, cwd: this.#cwd, env, learn });
    this.#inputs[number] = { part, directory };
  }

  /** Later, because the pool notes when attempts begin after it has sent them. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#startMore());
  }

  #startMore(): void {
    this.#isScheduled = false;
    const begunAt = now();
    while (this.#running.size < this.#concurrency) {
      const sent = this.#queue.shift();
      if (sent === undefined) return;
      this.#start(sent);
      if (now() - begunAt <= TURN_MS) continue;
      this.#isScheduled = true;
      setImmediate(() => this.#startMore());
      return;
    }
  }

  #start(sent: SentAttempt): void {
    const input = this.#inputs[sent.shared];
    if (input === undefined) throw new Error(`input ${String(sent.shared)} was never announced`);
    const { base, context, root, subject, test_id, timeout_ms } = input.part;
    const { send } = this.#options;
    const attempt: ReceivedAttempt = {
      seq: sent.seq,
      key: sent.key,
      test_id,
      // The agent may change what it gets, which must not change the case.
      case: cloneJson(sent.case),
      run: sent.run,
      subject,
      context: { ...structuredClone(context), chat_id: defaultChatId(sent.key), ...sent.context },
      timeout_ms: sent.timeout_ms ?? timeout_ms,
      base,
      root,
    };
    if (sent.is_conversation === true) attempt.is_conversation = true;
    if (sent.is_deferred === true) attempt.is_deferred = true;
    const run = new RunningAttempt(attempt, {
      directory: input.directory,
      retries: this.#retries,
      answered: (_run, answer) => this.#answered(inTime(answer, attempt), attempt.is_conversation === true),
      ended: (_run, end) => {
        this.#running.delete(end.seq);
        send({ type: 'ended', ...end });
        this.#schedule();
      },
      tellPrepared: (seq) => send({ type: 'prepared', seq }),
      tellBefore: (seq, data) => send({ type: 'before', seq, data }),
      tellWaiting: () => undefined,
    });
    this.#running.set(attempt.seq, run);
    input.agent ??= this.#open(input);
    run.begin(input.agent);
  }

  async #open(input: Input): Promise<Agent> {
    const { subject, root } = input.part;
    const opened: Agent =
      subject.run.type === 'function'
        ? { run: await this.#openValue(subject, root) }
        : await openAgent(subject, { root, directory: input.directory });
    input.agent = opened;
    return opened;
  }

  #openValue({ id }: AgentSubject, root: string): Promise<Agent['run']> {
    const host = { root, folder: this.#cwd, agentId: id };
    return openAgentValue(this.#options.agent, { host, file: id });
  }

  #answered(answer: Answer, isConversation: boolean): void {
    if (!isConversation) this.#running.delete(answer.seq);
    this.#answers.push(answer);
    // One message for all answers of a burst.
    if (this.#answers.length === 1) queueMicrotask(() => this.#flush());
    if (!isConversation) this.#schedule();
  }

  #flush(): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#options.send({ type: 'answered', answers, stuck: 0 });
  }
}

function cloned(input: CaseInput): CaseInput {
  return typeof input === 'string' ? input : structuredClone(input);
}

/** Code that blocks this process answers after its deadline, because no timer could end it. */
function inTime(answer: Answer, { timeout_ms }: ReceivedAttempt): Answer {
  if (answer.transcript === undefined || answer.took_ms <= timeout_ms) return answer;
  const { transcript: _late, ...rest } = answer;
  return { ...rest, failure: { status: 'timeout', error: timeoutText(timeout_ms) } };
}
