// The test of a skill as plain data. It runs in a process of its own.

/** A file `{skill}.tests.mjs`, or a skill without such a file. */
export type SkillSubject = {
  kind: 'skill';
  /** Always `skills`. */
  id: string;
  skill: string;
  short_name: string;
  /** The type of the skill's descriptor: `skill`, `cskill`, … */
  skill_type: string;
  /** The test file: its absolute path, and its path for display (`tests/pricing.tests.mjs`). */
  file: string;
  path: string;
  /** The application root. */
  root: string;
  /** True if a result without checks passes. */
  allow_empty: boolean;
  /** Set if there is no test file; `failure` if tests are required. */
  untested?: 'allowed' | 'failure';
};

/** The numbers of checks in a skill test; `skipped` only if there are any. */
export type Checks = { passed: number; failed: number; skipped?: number };
