// Tests of the skill equipment.

import assert from 'node:assert/strict';
import { availableOn, nextFreeDay } from '../skills/equipment/scripts/available.mjs';

const tests = {
  'what is booked is not available'() {
    assert.deepEqual(availableOn('2026-03-03'), ['plotter']);
  },
  'everything is available on a day without bookings'() {
    assert.deepEqual(availableOn('2026-03-04'), ['laser cutter', 'lathe', 'plotter']);
  },
  'the next free day comes after all bookings in a row'() {
    assert.equal(nextFreeDay('laser cutter', '2026-03-02'), '2026-03-04');
  },
  'an unknown tool is an error'() {
    assert.throws(() => nextFreeDay('hammer', '2026-03-02'), /there is no hammer/);
  },
};

export default function () {
  const errors = [];
  for (const [name, test] of Object.entries(tests)) {
    try {
      test();
    } catch (error) {
      errors.push(`${name}: ${error.message}`);
    }
  }
  return { passed: Object.keys(tests).length - errors.length, failed: errors.length, errors };
}
