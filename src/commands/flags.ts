// What `assay test` can be told on the command line, as the parser gives it.

export type TestFlags = {
  input?: string[];
  output?: string[];
  name?: string;
  connector?: string;
  user?: string;
  team?: string;
  ctx?: string;
  reporter?: string;
  runs?: string;
  run?: string;
  tag?: string[];
  timeout?: string;
  parallel?: string;
  retries?: string;
  minPassRate?: string;
  failFast?: boolean;
  verbose?: boolean;
  /** Show the plan, execute nothing. */
  dryRun?: boolean;
  /** Only what did not pass in a log; `true` = the last one. */
  failed?: string | true;
  /** A log, or `last`. */
  resume?: string;
  force?: boolean;
  watch?: boolean;
  json?: boolean;
};
