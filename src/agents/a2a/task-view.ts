// Collects the agent's answer to one turn: events and snapshots of a task come in, the transcript comes out.

import { stopwatch } from '../../platform/tape-scope.ts';
import type { Artifact, Message as A2aMessage, Role, StreamResponse, Task, TaskStatus } from '@a2a-js/sdk';
import { AttemptError } from '../../errors.ts';
import type { Transcript, Usage } from '../../model/agent.ts';
import type { Message } from '../../model/case.ts';
import { isObject } from '../../json/is-object.ts';
import { excerpt } from '../../text/excerpt.ts';
import { toUsage } from '../../model/spending.ts';
import { joinParts, partsText } from './output.ts';
import type { Thread } from './outgoing.ts';

type TaskState =
  | 'unspecified'
  | 'submitted'
  | 'working'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'input-required'
  | 'rejected'
  | 'auth-required';

/** The index is the protocol's number of the state. */
const STATES: readonly TaskState[] = [
  'unspecified',
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
];
const UNSETTLED: ReadonlySet<TaskState> = new Set(['unspecified', 'submitted', 'working']);
/** Roles of the SDK, whose values are not loaded yet. */
const USER: Role = 1;
const AGENT: Role = 2;

/** The state that earlier turns of the same attempt left. */
export type Earlier = Thread & {
  /** Key of the question that this turn answers: a status with the same key is outdated. */
  question: string;
  /** Ids of messages that belong to earlier turns. */
  knownIds: ReadonlySet<string>;
};

export const NOTHING_EARLIER: Earlier = { contextId: '', taskId: '', question: '', knownIds: new Set() };

/** The agent's task, or its message if it answers without a task. */
export class TaskView {
  readonly #where: string;
  readonly #knownIds: ReadonlySet<string>;
  readonly #elapsed = stopwatch('first piece');
  readonly #artifacts = new Map<string, Artifact>();
  readonly #messages = new Map<string, A2aMessage>();
  #contextId: string;
  #taskId: string;
  /** The agent has named the task of this turn. */
  #hasTask = false;
  #question: string;
  #state: TaskState = 'unspecified';
  #status: TaskStatus | undefined;
  #reply: A2aMessage | undefined;
  #usage: Usage = {};
  #firstPieceMs: number | undefined;

  constructor(where: string, { contextId, taskId, question, knownIds }: Earlier) {
    this.#where = where;
    this.#contextId = contextId;
    this.#taskId = taskId;
    this.#question = question;
    this.#knownIds = knownIds;
  }

  /** Empty until the agent has sent the id of its task. */
  get taskId(): string {
    return this.#taskId;
  }

  /** True once the turn has its final answer. */
  get isSettled(): boolean {
    return this.#reply !== undefined || (!UNSETTLED.has(this.#state) && !this.#isOldQuestion());
  }

  /** Applies an event of a stream. */
  take({ payload }: StreamResponse): void {
    switch (payload?.$case) {
      case 'task':
        return this.takeTask(payload.value);
      case 'message':
        return this.takeMessage(payload.value);
      case 'statusUpdate':
        this.#belongs(payload.value.taskId, payload.value.contextId);
        this.#takeUsage(payload.value.metadata);
        return this.#takeStatus(payload.value.status);
      case 'artifactUpdate':
        this.#belongs(payload.value.taskId, payload.value.contextId);
        this.#takeUsage(payload.value.metadata);
        return this.#takeArtifact(payload.value.artifact, payload.value.append);
      case undefined:
        throw this.#malformed('an event without a task, a message or an update');
    }
  }

  /** Applies a snapshot of the whole task. */
  takeTask(task: Task): void {
    if (task.id === '') throw this.#malformed('a task without an id');
    this.#belongs(task.id, task.contextId);
    for (const message of task.history) this.#addMessage(message);
    this.#artifacts.clear();
    for (const artifact of task.artifacts) this.#takeArtifact(artifact, false);
    this.#takeUsage(task.metadata);
    this.#takeStatus(task.status);
  }

  /** Applies an answer without a task. */
  takeMessage(message: A2aMessage): void {
    if (message.role === USER) throw this.#malformed('a message of the user instead of an answer');
    if (message.contextId !== '') this.#contextId = message.contextId;
    this.#addMessage(message);
    this.#takeUsage(message.metadata);
    this.#notePiece();
    this.#reply = message;
  }

  /** Treats the next status as new: the answer of a blocking call cannot be outdated. */
  expectNothingOld(): void {
    this.#question = '';
  }

  /** The state for the next turn. */
  earlier(): Earlier {
    const isOpen = this.#reply === undefined && this.#state === 'input-required';
    return {
      contextId: this.#contextId,
      taskId: isOpen ? this.#taskId : '',
      question: isOpen ? questionKey(this.#status) : '',
      knownIds: new Set([...this.#knownIds, ...this.#messages.keys()]),
    };
  }

  /** The answer of a settled turn. Throws AttemptError if the task failed. `streamed`: the answer came as a stream. */
  transcript(asked: Message[], { streamed }: { streamed: boolean }): Transcript {
    const output = this.#output();
    const said = [...this.#messages.values()]
      .map(({ parts }) => partsText(parts))
      .filter((text) => text !== '');
    const answer = typeof output === 'string' ? output : JSON.stringify(output);
    if (output !== null && said.at(-1) !== answer) said.push(answer);
    const messages = [...asked, ...said.map((content) => ({ role: 'assistant', content }))];
    const transcript: Transcript = { output, messages };
    if (Object.keys(this.#usage).length > 0) transcript.usage = this.#usage;
    if (streamed && this.#firstPieceMs !== undefined) transcript.first_token_ms = this.#firstPieceMs;
    return transcript;
  }

  #output(): unknown {
    if (this.#reply !== undefined) return joinParts([this.#reply.parts]);
    const artifacts = [...this.#artifacts.values()].map(({ parts }) => parts);
    const lastSaid = [...this.#messages.values()].at(-1)?.parts ?? [];
    const { message } = this.#status ?? {};
    const status = message === undefined || message.role === USER ? [] : message.parts;
    switch (this.#state) {
      case 'completed':
        return joinParts(artifacts) ?? joinParts([status]) ?? joinParts([lastSaid]);
      case 'input-required':
        return joinParts([status]) ?? joinParts([lastSaid]) ?? joinParts(artifacts);
      case 'failed':
        throw this.#ended('agent', 'the task failed');
      case 'rejected':
        throw this.#ended('agent', 'the agent rejected the task');
      case 'canceled':
        throw this.#ended('agent', 'the agent canceled the task');
      case 'auth-required':
        throw this.#ended('auth', 'the task needs another authorization');
      case 'unspecified':
      case 'submitted':
      case 'working':
        throw new AttemptError('harness', `the task is still ${this.#state}`);
    }
  }

  #ended(code: 'agent' | 'auth', how: string): AttemptError {
    const text = partsText(this.#status?.message?.parts ?? []);
    return new AttemptError(code, text === '' ? how : `${how}: ${text}`);
  }

  #belongs(taskId: string, contextId: string): void {
    // The answer of another task is the answer to another question.
    if (this.#hasTask && taskId !== '' && taskId !== this.#taskId)
      throw this.#malformed(
        `something about the task ${excerpt(taskId)} instead of ${excerpt(this.#taskId)}`,
      );
    if (taskId !== '') {
      this.#taskId = taskId;
      this.#hasTask = true;
    }
    if (contextId !== '') this.#contextId = contextId;
  }

  #takeStatus(status: TaskStatus | undefined): void {
    const state = STATES[status?.state ?? 0];
    if (status === undefined) throw this.#malformed('a task without a status');
    if (state === undefined) throw this.#malformed('a task in an unknown state');
    this.#state = state;
    this.#status = status;
    if (status.message === undefined) return;
    this.#addMessage(status.message);
    this.#takeUsage(status.message.metadata);
    if (this.isSettled) this.#notePiece();
  }

  #takeArtifact(artifact: Artifact | undefined, append: boolean): void {
    if (artifact === undefined) throw this.#malformed('an update without an artifact');
    const before = append ? this.#artifacts.get(artifact.artifactId) : undefined;
    if (before === undefined)
      this.#artifacts.set(artifact.artifactId, { ...artifact, parts: [...artifact.parts] });
    // Safe to modify: it was copied when it was first received.
    else for (const part of artifact.parts) before.parts.push(part);
    this.#takeUsage(artifact.metadata);
    if (artifact.parts.length > 0) this.#notePiece();
  }

  #addMessage(message: A2aMessage): void {
    if (message.role !== AGENT || this.#knownIds.has(message.messageId)) return;
    const key = message.messageId === '' ? `\0${String(this.#messages.size)}` : message.messageId;
    this.#messages.set(key, message);
  }

  #takeUsage(metadata: Record<string, unknown> | undefined): void {
    if (isObject(metadata)) Object.assign(this.#usage, toUsage(metadata['usage']));
  }

  #notePiece(): void {
    this.#firstPieceMs ??= Math.round(this.#elapsed());
  }

  #isOldQuestion(): boolean {
    const isQuestion = this.#state === 'input-required' && this.#question !== '';
    return isQuestion && this.#question === questionKey(this.#status);
  }

  #malformed(what: string): AttemptError {
    return new AttemptError('protocol', `${this.#where} sent ${what}`);
  }
}

/** Identifies a question by message id and time; empty if it has neither. */
function questionKey(status: TaskStatus | undefined): string {
  const [id, time] = [status?.message?.messageId ?? '', status?.timestamp ?? ''];
  return id === '' && time === '' ? '' : `${id} ${time}`;
}
