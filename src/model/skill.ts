// The test of a skill, as plain data: found, ready to be run in a process of its own.

/** A file `{skill}.tests.mjs`, or a skill that has none. */
export type SkillRun = {
  type: 'skill';
  skill: string;
  short_name: string;
  /** What kind of descriptor the skill has: `skill`, `cskill`, … */
  skill_type: string;
  /** The test file: its place on this machine, and as people know it (`tests/pricing.tests.mjs`). */
  file: string;
  path: string;
  /** The application root. */
  root: string;
  /** A result without checks is a pass. */
  allow_empty: boolean;
  /** There is no test file, and that is a failure if tests are required. */
  untested?: 'allowed' | 'failure';
};

/** What a skill test counted. */
export type Checks = { passed: number; failed: number };
