// The public API of skill tests: finds the tests of an agent's skills and runs each in its own process.

import { discoverSkillTest, discoverSkillTests } from './discover.ts';
import { findSkillFile, getSkillRecord } from './lookup.ts';
import { runTestFile } from './run-file.ts';
import { runTestFileInProcess } from './run-in-process.ts';
import { runTestSuite } from './run-suite.ts';

export type {
  DiscoverOptions,
  LookupOptions,
  RunOptions,
  SkillRecord,
  SkillTest,
  SuiteOptions,
  SuiteResult,
  TestResult,
} from './types.ts';
export {
  discoverSkillTest,
  discoverSkillTests,
  findSkillFile,
  getSkillRecord,
  runTestFile,
  runTestFileInProcess,
  runTestSuite,
};

// oxlint-disable-next-line import/no-default-export -- the documented form of this API
export default {
  discoverSkillTests,
  discoverSkillTest,
  runTestFile,
  runTestFileInProcess,
  runTestSuite,
};
