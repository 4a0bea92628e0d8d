// The data of a run: its cases, small enough to list a hundred thousand, and access to the full events.

import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../src/model/event.ts';
import type { GitOrigin } from '../../src/model/origin.ts';
import type { EventSource } from '../../src/model/sink.ts';
import type { CaseEnd } from '../../src/model/settle.ts';
import { settleCase } from '../../src/model/settle.ts';
import type { SettledCase } from '../../src/report/fold/case-result.ts';
import { settledCase } from '../../src/report/fold/case-result.ts';
import { caseKeyOf, loggedMinPassRate } from '../../src/report/fold/fold.ts';
import { createSelectionFold } from '../../src/report/fold/selections.ts';
import { passRules } from '../../src/stats/pass-rules.ts';
import type { LightEvent, LightResult, Packet } from '../../src/report/fold/light-event.ts';
import { lightEvent } from '../../src/report/fold/light-event.ts';
import { inflate } from './inflate.ts';

/** A result for lists, and the location of the full event: a line of a packet, or the event itself if it arrived live. */
export type Attempt = { light: LightResult; location: { packet: number; line: number } | ResultEvent };

/** One case with its runs in order. */
export type Case = {
  /** Its index in the log. */
  number: number;
  attempts: [Attempt, ...Attempt[]];
  settled: SettledCase;
  /** How it counts, with the exact rate: the one in `settled` is rounded. */
  end: CaseEnd;
};

/** Collects packets and events; `settle` updates the cases with what has arrived. */
export class RunData {
  start: StartEvent | undefined;
  summary: SummaryEvent | undefined;
  git: GitOrigin | undefined;
  readonly selections = createSelectionFold();
  cases: Case[] = [];
  /** The cases in the order of inputs and lines; while the run is in progress, in the order of arrival. */
  listed: readonly Case[] = this.cases;
  results = 0;
  readonly #packets: string[] = [];
  readonly #byKey = new Map<string, { one: Case; runs: Set<number> }>();
  readonly #stale = new Set<Case>();
  #opened: { packet: number; lines: Promise<string[]> } | undefined;

  /** Adds a packet of a report or a server. */
  async addPacket({ rows, events }: Packet): Promise<void> {
    const light = JSON.parse(await inflate(rows)) as LightEvent[];
    const packet = this.#packets.push(events) - 1;
    for (const [line, event] of light.entries()) this.#add(event, { packet, line });
  }

  /** Adds live events; replaces known results. */
  addEvents(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.type === 'result') this.#add(lightEvent(event, { hasRuns: true }), event);
      else this.#add(event, { packet: 0, line: 0 });
    }
  }

  /** Settles the cases with new results. While the run is in progress, missing runs of a case do not count. */
  settle({ isLive = false } = {}): void {
    const { start } = this;
    if (start === undefined) return;
    const rules = passRules(start, this.summary?.min_pass_rate ?? loggedMinPassRate(start));
    const stale = [...this.#stale];
    this.#stale.clear();
    for (const one of stale) {
      one.attempts.sort((a, b) => a.light.run - b.light.run);
      const [first, ...others] = one.attempts.map(({ light }) => withKey(light));
      if (first === undefined) continue;
      const { runs: runsPerCase, passRule } = rules(first.test_id);
      const missing = Math.max(0, runsPerCase - one.attempts.length);
      const counted = isLive ? 0 : missing;
      const isOpen =
        typeof passRule === 'object' && settleCase([first, ...others], passRule).status === 'skipped';
      // Before a case of `--runs auto` is decided, a live page shows what its runs are so far.
      const rule = isLive && isOpen ? undefined : passRule;
      one.settled = settledCase([first, ...others], { runsPerCase, passRule: rule, missing: counted });
      one.end = settleCase([first, ...others], rule, counted);
      if (isLive && missing > 0) this.#stale.add(one);
    }
    this.listed = isLive ? this.cases : sortByPosition(this.cases);
  }

  /** The full event of an attempt. */
  async readEvent({ location }: Attempt): Promise<ResultEvent> {
    if ('type' in location) return location;
    const lines = await this.#readLines(location.packet);
    return JSON.parse(lines[location.line] ?? '') as ResultEvent;
  }

  /** The log as a source for reports. */
  source(): EventSource {
    const packets = this.#packets.keys();
    const live = this.cases.flatMap(({ attempts }) => attempts.map(({ location }) => location));
    const readLines = (packet: number): Promise<string[]> => this.#readLines(packet);
    const { summary } = this;
    const numbers = [...packets];
    return {
      async *events() {
        let isSummed = false;
        for (const packet of numbers) {
          for (const line of await readLines(packet)) {
            const event = JSON.parse(line) as RunEvent;
            isSummed ||= event.type === 'summary';
            yield event;
          }
        }
        for (const location of live) if ('type' in location) yield location;
        if (!isSummed && summary !== undefined) yield summary;
      },
    };
  }

  /** Keeps the last opened packet, which is the most likely to be read again. */
  async #readLines(packet: number): Promise<string[]> {
    if (this.#opened?.packet !== packet) {
      const lines = inflate(this.#packets[packet] ?? '').then((text) => text.split('\n'));
      this.#opened = { packet, lines };
    }
    return this.#opened.lines;
  }

  #add(event: LightEvent, location: Attempt['location']): void {
    if (event.type === 'start') this.start = event;
    else if (event.type === 'summary') this.summary = event;
    else if (event.type === 'provenance') this.git = event.git;
    else if (event.type === 'selection') this.selections.add(event);
    else if (event.type === 'result') this.#addResult({ light: event, location });
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

/** Light results have no key, and the functions used here do not read it. */
function withKey(light: LightResult): ResultEvent {
  return Object.assign({ key: '' }, light);
}

/** Sorts cases by their test, in the order of first results, and by line. */
function sortByPosition(cases: readonly Case[]): Case[] {
  const tests = new Map<string, number>();
  for (const { attempts } of cases) {
    const { test_id } = attempts[0].light;
    if (!tests.has(test_id)) tests.set(test_id, tests.size);
  }
  const position = ({ attempts }: Case): [number, number] => {
    const { test_id, line = 0, position: place } = attempts[0].light;
    if (place !== undefined) return [-1, place];
    return [tests.get(test_id) ?? 0, line];
  };
  const keyed = cases.map((one) => ({ one, position: position(one) }));
  keyed.sort(
    (a, b) => a.position[0] - b.position[0] || a.position[1] - b.position[1] || a.one.number - b.one.number,
  );
  return keyed.map(({ one }) => one);
}
