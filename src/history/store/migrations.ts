// The migrations from an empty database to the current tables. A released migration never changes; add a new one.

/** SQL that differs between the databases. */
export type Dialect = {
  name: 'sqlite' | 'postgres';
  /** An auto-increment integer key. */
  id: string;
  json: string;
  /** Table option that stores rows in the order of their key. */
  clustered: string;
};

export type Migration = (dialect: Dialect) => string[];

export const MIGRATIONS: readonly Migration[] = [createTables, addVerdictFacts, addNotes];

/**
 * Results and cases have no foreign key to their run, because checking it takes about a quarter of the insert time. Only the
 * recorder and prune write them, both with the row of the run locked. The index by status covers only results that did not
 * pass: they are few, and users look for them.
 */
function createTables({ id, json, clustered }: Dialect): string[] {
  return [
    `create table test_types (id ${id}, sha256 text not null unique, defined_id text not null, name text not null,
       definition ${json} not null, variables_schema ${json})`,
    `create table tests (id ${id}, sha256 text not null unique, defined_id text not null, name text not null,
       test_type_id bigint references test_types (id), definition ${json} not null, variables ${json})`,
    `create table suites (id ${id}, sha256 text not null unique, defined_id text not null, name text not null,
       definition ${json} not null, variables ${json})`,
    `create table test_runs (no ${id}, run_id text not null unique, started_at text not null, finished_at text,
       agent_id text not null, agent_sha256 text, kinds ${json} not null,
       total_cases bigint not null, runs_per_case bigint not null, connector text,
       environment ${json} not null, inputs ${json} not null, flags ${json} not null, cwd text not null,
       version text not null, matrix ${json}, resolved_variables ${json}, git_commit text, git_dirty integer, node text, os text,
       machine text, ci text, exit_code integer, total bigint, passed bigint, failed bigint, skipped bigint,
       errors bigint, timeouts bigint, total_runs bigint, stable_cases bigint, unstable_cases bigint,
       overall_pass_rate double precision, min_pass_rate double precision, duration_ms double precision,
       checks ${json}, usage ${json}, cost_usd double precision)`,
    `create index test_runs_by_time on test_runs (started_at, no)`,
    `create table run_tests (run_no bigint not null references test_runs (no), place integer not null,
       test_id bigint not null references tests (id), primary key (run_no, place))${clustered}`,
    `create index run_tests_by_test on run_tests (test_id)`,
    `create table suite_runs (run_no bigint primary key references test_runs (no),
       suite_id bigint not null references suites (id), resolved_variables ${json})`,
    `create index suite_runs_by_suite on suite_runs (suite_id)`,
    `create table results (id ${id}, run_no bigint not null,
       key text not null, kind text not null, test_id text not null, case_id text not null, run bigint not null,
       agent_id text, status text not null, code text, error text, duration_ms double precision not null,
       variables_sha256 text not null, variables ${json}, usage ${json}, cost_usd double precision,
       line bigint, event ${json} not null)`,
    `create unique index results_by_key on results (run_no, key)`,
    `create index results_not_passed on results (run_no, status, id) where status <> 'passed'`,
    `create table run_cases (run_no bigint not null,
       test_id text not null, case_id text not null, variables_sha256 text not null, variables ${json}, line bigint,
       passed bigint not null, failed bigint not null, timeouts bigint not null, errors bigint not null,
       unmeasured bigint not null, skipped bigint not null, duration_ms double precision not null,
       primary key (run_no, test_id, case_id, variables_sha256))${clustered}`,
  ];
}

/**
 * What comparisons, baselines and plans need to know of runs and cases without reading results. Cost and tokens are null for cases
 * that an older version recorded.
 */
function addVerdictFacts(): string[] {
  return [
    `alter table test_runs add column judge_sha256 text`,
    `alter table test_runs add column git_branch text`,
    `create index test_runs_by_branch on test_runs (git_branch, started_at)`,
    `alter table results add column uncounted text`,
    `alter table run_cases add column kind text`,
    `alter table run_cases add column case_sha text`,
    `alter table run_cases add column uncounted bigint not null default 0`,
    `alter table run_cases add column cost_usd double precision`,
    `alter table run_cases add column tokens bigint`,
    `alter table run_cases add column unpriced bigint`,
    `create table baselines (name text primary key, run_id text not null, created_at text not null)`,
  ];
}

/** What users say about their runs; null in runs of older versions. */
function addNotes(): string[] {
  return [`alter table test_runs add column note text`];
}
