import { expect, test } from 'vitest';
import type { PlacedCase } from './file-order.ts';
import { inFileOrder } from './file-order.ts';

function placed(id: string, position: number | undefined): PlacedCase {
  return { position, settled: { ran: false, kind: 'script', skipped: { id, test_id: 't', reason: 'skip' } } };
}

test('cases come in the order of their positions, however many fit into memory', async () => {
  const cases = [placed('c', 3), placed('none', undefined), placed('a', 1), placed('e', 5), placed('b', 2)];
  for (const atOnce of [1, 2, 5000]) {
    let reads = 0;
    const read = async function* (): AsyncGenerator<PlacedCase> {
      reads += 1;
      yield* cases;
    };
    const ids: string[] = [];
    for await (const settled of inFileOrder(read, { atOnce }))
      ids.push(settled.ran ? settled.result.id : settled.skipped.id);
    expect(ids).toEqual(['a', 'b', 'c', 'e', 'none']);
    expect(reads).toBe(Math.ceil(5 / atOnce) + 1);
  }
});
