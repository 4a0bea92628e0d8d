// A run as the page holds it: its cases, light enough to list a hundred thousand, and the way to everything about each.

import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../src/model/event.ts';
import type { GitOrigin } from '../../src/model/origin.ts';
import type { EventSource } from '../../src/model/sink.ts';
import { runsOf } from '../../src/model/runs-of.ts';
import type { CaseEnd } from '../../src/model/settle.ts';
import { settleCase } from '../../src/model/settle.ts';
import type { SettledCase } from '../../src/report/fold/case-result.ts';
import { settledCase } from '../../src/report/fold/case-result.ts';
import { caseKeyOf, loggedMinPassRate } from '../../src/report/fold/fold.ts';
import type { LightEvent, LightResult, Packet } from '../../src/report/fold/light-event.ts';
import { lightEvent } from '../../src/report/fold/light-event.ts';
import { inflate } from './inflate.ts';

/** A result as listed, and where all of it is: a line of a packet, or the event itself if it came live. */
export type Attempt = { light: LightResult; place: { packet: number; line: number } | ResultEvent };

/** One case with its runs, in their order. */
export type Case = {
  /** Its place in the log. */
  number: number;
  attempts: [Attempt, ...Attempt[]];
  settled: SettledCase;
  /** How it counts, with its rate as it is: that of `settled` is rounded. */
  end: CaseEnd;
};

/** Grows while packets and events come in; `settle` makes what has come so far readable. */
export class RunData {
  start: StartEvent | undefined;
  summary: SummaryEvent | undefined;
  git: GitOrigin | undefined;
  cases: Case[] = [];
  /** The same in the order of the inputs and of their lines; those of a run that goes on as they come. */
  listed: readonly Case[] = this.cases;
  results = 0;
  readonly #packets: string[] = [];
  readonly #byKey = new Map<string, { one: Case; runs: Set<number> }>();
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
    const minPassRate = this.summary?.min_pass_rate ?? loggedMinPassRate(start);
    const stale = [...this.#stale];
    this.#stale.clear();
    for (const one of stale) {
      one.attempts.sort((a, b) => a.light.run - b.light.run);
      const [first, ...others] = one.attempts.map(({ light }) => withKey(light));
      if (first === undefined) continue;
      const runsPerCase = runsOfTest(first.test_id);
      const missing = Math.max(0, runsPerCase - one.attempts.length);
      const counted = isLive ? 0 : missing;
      one.settled = settledCase([first, ...others], { runsPerCase, minPassRate, missing: counted });
      one.end = settleCase([first, ...others], minPassRate, counted);
      if (isLive && missing > 0) this.#stale.add(one);
    }
    this.listed = isLive ? this.cases : byPlace(this.cases);
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
      const one: Case = { number: this.cases.length, attempts: [attempt], settled: UNSETTLED, end: NO_END };
      this.cases.push(one);
      this.#byKey.set(key, { one, runs: new Set([attempt.light.run]) });
      this.#stale.add(one);
      this.results += 1;
      return;
    }
    const { one, runs } = known;
    this.#stale.add(one);
    const { run } = attempt.light;
    if (runs.has(run)) {
      one.attempts[one.attempts.findIndex(({ light }) => light.run === run)] = attempt;
      return;
    }
    runs.add(run);
    one.attempts.push(attempt);
    this.results += 1;
  }
}

const NO_END: CaseEnd = { status: 'skipped', unmeasured: false, pass_rate: null, stable: false };
const UNSETTLED: SettledCase = {
  ran: false,
  kind: 'agent-eval',
  skipped: { id: '', test_id: '', reason: 'interrupted' },
};

/** Nobody asks for the key of a light result. */
function withKey(light: LightResult): ResultEvent {
  return Object.assign({ key: '' }, light);
}

/** Tests in the order of their first result, their cases by line. */
function byPlace(cases: readonly Case[]): Case[] {
  const tests = new Map<string, number>();
  for (const { attempts } of cases) {
    const { test_id } = attempts[0].light;
    if (!tests.has(test_id)) tests.set(test_id, tests.size);
  }
  const place = ({ attempts }: Case): [number, number] => {
    const { test_id, line = 0 } = attempts[0].light;
    return [tests.get(test_id) ?? 0, line];
  };
  const keyed = cases.map((one) => ({ one, place: place(one) }));
  keyed.sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.one.number - b.one.number);
  return keyed.map(({ one }) => one);
}
