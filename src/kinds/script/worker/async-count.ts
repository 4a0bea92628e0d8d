// How many asynchronous things have been begun in this process: whoever began none leaves nothing behind.

import { createHook } from 'node:async_hooks';

let count = 0;

createHook({
  init() {
    count += 1;
  },
}).enable();

/** Rises with every promise, timer and operation. */
export function asyncCount(): number {
  return count;
}
