// A program of the tests: records run after run, and says on stdout what the history has acknowledged.

import { resultEvent, startEvent } from '../fixtures/logs/agent-log.ts';
import { openStore } from '../../src/history/store/open-store.ts';

const [place = '', writer = '', rounds = '1'] = process.argv.slice(2);
const store = await openStore(place, { waitMs: 30_000 });
for (let round = 0; round < Number(rounds); round++) {
  const run_id = `${writer}-${round}`;
  const recorder = store.record(startEvent({ run_id, runs_per_case: 2 }), { batchRows: 20 });
  for (let n = 0; n < 100; n++) {
    await recorder.add([resultEvent(`C${n % 50}`, { run: n, duration_ms: 2 })]);
    if (n % 25 !== 24) continue;
    await recorder.flush();
    process.stdout.write(`${run_id} ${n + 1}\n`);
  }
}
await store.close();
