// Counts the asynchronous operations started in this process. A test that starts none leaves nothing behind.

import { createHook } from 'node:async_hooks';

let count = 0;

createHook({
  init() {
    count += 1;
  },
}).enable();

/** Grows with every promise, timer and operation. */
export function asyncCount(): number {
  return count;
}
