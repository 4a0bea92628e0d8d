// The interval of the pass rate for groups of related cases, of a run that was started, or is reported, with `--cluster`.

import type { Clustered } from '../../model/cluster.ts';
import { clusterName, loggedCluster } from '../../model/cluster.ts';
import type { StartEvent, Summary } from '../../model/event.ts';
import type { CaseEnd } from '../../model/settle.ts';
import { createRateFold } from '../../stats/rate-fold.ts';

/** The counts of a summary that depend on groups. */
export type ClusteredCounts = Pick<Summary, 'clusters' | 'metrics' | 'pass_rate_interval'>;

export type ClusterCounter = { add(one: Clustered, end: CaseEnd): void; result(): ClusteredCounts };

/** Counts settled cases, in constant memory for each group; undefined without `--cluster`. */
export function createClusterCounter(start: Pick<StartEvent, 'flags'>): ClusterCounter | undefined {
  const rule = loggedCluster(start);
  if (rule === undefined) return undefined;
  const rates = createRateFold();
  return {
    add(one, { pass_rate }) {
      if (pass_rate !== null) rates.add(pass_rate / 100, clusterName(rule, one));
    },
    result() {
      const { groups, interval, named: cases } = rates.result();
      const by = rule.by === 'test' ? rule.by : `${rule.by}:${rule.name}`;
      return {
        ...(interval !== undefined && { pass_rate_interval: interval }),
        clusters: { by, groups, cases },
      };
    },
  };
}

/** Those counts out of others. */
export function clusteredCounts({ clusters, metrics, pass_rate_interval }: ClusteredCounts): ClusteredCounts {
  return {
    ...(pass_rate_interval !== undefined && { pass_rate_interval }),
    ...(clusters !== undefined && { clusters }),
    ...(metrics !== undefined && { metrics }),
  };
}
