// The counts that the summaries of all JSON reports have.

import type { Overview } from '../fold/overview.ts';
import type { ReportSummary } from './json-report.ts';

type Basics = 'duration_ms' | 'errors' | 'failed' | 'passed' | 'skipped' | 'timeouts' | 'total';

export function furtherCounts({ counts, planned }: Overview): Omit<ReportSummary, Basics> {
  const { total_runs, runs_per_case, overall_pass_rate, stable_cases, unstable_cases } = counts;
  return {
    total_cases: planned,
    total_runs,
    runs_per_case,
    overall_pass_rate,
    ...(counts.pass_rate_interval !== undefined && { pass_rate_interval: counts.pass_rate_interval }),
    ...(counts.clusters !== undefined && { clusters: counts.clusters }),
    stable_cases,
    unstable_cases,
    ...(counts.metrics !== undefined && { metrics: counts.metrics }),
    ...(counts.metrics_left_out !== undefined && { metrics_left_out: counts.metrics_left_out }),
    ...(counts.unmeasured !== undefined && { unmeasured: counts.unmeasured }),
    ...(counts.auto !== undefined && { auto: counts.auto }),
    ...(counts.incomplete === true && { incomplete: true }),
    ...(counts.gates !== undefined && { gates: counts.gates }),
    ...(counts.comparison !== undefined && { comparison: counts.comparison }),
    ...(counts.quarantined !== undefined && { quarantined: counts.quarantined }),
    ...(counts.usage !== undefined && { usage: counts.usage }),
    ...(counts.cost_usd !== undefined && { cost_usd: counts.cost_usd }),
  };
}
