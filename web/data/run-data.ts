// A run as the page holds it: its cases, light enough to list a hundred thousand, and the way to everything about each.

import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../src/model/event.ts';
import type { GitOrigin } from '../../src/model/origin.ts';
import type { EventSource } from '../../src/model/sink.ts';
import { runsOf } from '../../src/model/runs-of.ts';
import type { SettledCase } from '../../src/report/case-result.ts';
import { settledCase } from '../../src/report/case-result.ts';
import { caseKeyOf, minPassRateOf } from '../../src/report/fold.ts';
import type { LightEvent, LightResult, Packet } from '../../src/report/light-event.ts';
import { lightEvent } from '../../src/report/light-event.ts';
import { inflate } from './inflate.ts';

/** A result as listed, and where all of it is: a line of a packet, or the event itself if it came live. */
export type Attempt = { light: LightResult; place: { packet: number; line: number } | ResultEvent };

/** One case with its runs, in the order of the log. */
export type Case = { number: number; key: string; attempts: [Attempt, ...Attempt[]]; settled: SettledCase };

/** Grows while packets and events come in; `settle` makes what has come so far readable. */
export class RunData {
  start: StartEvent | undefined;
  summary: SummaryEvent | undefined;
  git: GitOrigin | undefined;
  cases: Case[] = [];
  results = 0;
  readonly #packets: string[] = [];
  readonly #byKey = new Map<string, Case>();
  readonly #stale = new Set<Case>();
  #opened: { packet: number; lines: Promise<string[]> } | undefined;

  /** Takes a packet of a report or a server. */
  async addPacket({ rows, events }: Packet): Promise<void> {
    const light = JSON.parse(await inflate(rows)) as LightEvent[];
    const packet = this.#packets.push(events) - 1;
    for (const [line, event] of light.entries()) this.#add(event, { packet, line });
  }

  /** Takes what came live; a result that is known already is replaced. */
  addEvents(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.type === 'result') this.#add(lightEvent(event, { hasRuns: true }), event);
      else this.#add(event, { packet: 0, line: 0 });
    }
  }

  /** Works out again how the cases ended that have got results. While a run goes on, the runs of a case so far are all it has. */
  settle({ isLive = false } = {}): void {
    const { start } = this;
    if (start === undefined) return;
    const runsOfTest = runsOf(start);
    const minPassRate = this.summary?.min_pass_rate ?? minPassRateOf(start);
    const stale = [...this.#stale];
    this.#stale.clear();
    for (const one of stale) {
      const [first, ...others] = one.attempts.map(({ light }) => withKey(light));
      if (first === undefined) continue;
      const runsPerCase = runsOfTest(first.test_id);
      const missing = Math.max(0, runsPerCase - one.attempts.length);
      one.settled = settledCase([first, ...others], {
        runsPerCase,
        minPassRate,
        missing: isLive ? 0 : missing,
      });
      if (isLive && missing > 0) this.#stale.add(one);
    }
  }

  /** Everything about an attempt. */
  async eventOf({ place }: Attempt): Promise<ResultEvent> {
    if ('type' in place) return place;
    const lines = await this.#linesOf(place.packet);
    return JSON.parse(lines[place.line] ?? '') as ResultEvent;
  }

  /** The log again, as reports read it. */
  source(): EventSource {
    const packets = this.#packets.keys();
    const live = this.cases.flatMap(({ attempts }) => attempts.map(({ place }) => place));
    const linesOf = (packet: number): Promise<string[]> => this.#linesOf(packet);
    const { summary } = this;
    const numbers = [...packets];
    return {
      async *events() {
        let isSummed = false;
        for (const packet of numbers) {
          for (const line of await linesOf(packet)) {
            const event = JSON.parse(line) as RunEvent;
            isSummed ||= event.type === 'summary';
            yield event;
          }
        }
        for (const place of live) if ('type' in place) yield place;
        if (!isSummed && summary !== undefined) yield summary;
      },
    };
  }

  /** The packet that was opened last is looked at again most likely. */
  async #linesOf(packet: number): Promise<string[]> {
    if (this.#opened?.packet !== packet) {
      const lines = inflate(this.#packets[packet] ?? '').then((text) => text.split('\n'));
      this.#opened = { packet, lines };
    }
    return this.#opened.lines;
  }

  #add(event: LightEvent, place: Attempt['place']): void {
    if (event.type === 'start') this.start = event;
    else if (event.type === 'summary') this.summary = event;
    else if (event.type === 'provenance') this.git = event.git;
    else if (event.type === 'result') this.#addResult({ light: event, place });
  }

  #addResult(attempt: Attempt): void {
    const key = caseKeyOf(attempt.light);
    const known = this.#byKey.get(key);
    if (known === undefined) {
      const settled: SettledCase = UNSETTLED;
      const one: Case = { number: this.cases.length, key, attempts: [attempt], settled };
      this.cases.push(one);
      this.#byKey.set(key, one);
      this.#stale.add(one);
      this.results += 1;
      return;
    }
    this.#stale.add(known);
    const at = known.attempts.findIndex(({ light }) => light.run === attempt.light.run);
    if (at >= 0) {
      known.attempts[at] = attempt;
      return;
    }
    known.attempts.push(attempt);
    known.attempts.sort((a, b) => a.light.run - b.light.run);
    this.results += 1;
  }
}

const UNSETTLED: SettledCase = {
  ran: false,
  kind: 'agent-eval',
  skipped: { id: '', test_id: '', reason: 'interrupted' },
};

/** Nobody asks for the key of a light result. */
function withKey(light: LightResult): ResultEvent {
  return Object.assign({ key: '' }, light);
}
