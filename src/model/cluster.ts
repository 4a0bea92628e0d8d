// `--cluster`: which cases are related, so that they say less about others than as many separate cases.

/** The facts about a case that tell its group. */
export type Clustered = {
  test_id: string;
  tags?: readonly string[] | undefined;
  variables?: Readonly<Record<string, unknown>> | undefined;
};

export type ClusterRule = {
  by: 'tag' | 'test' | 'variable';
  /** The prefix of the tag, or the name of the variable; empty for `test`. */
  name: string;
};

/**
 * Reads `tag:<prefix>`, `test` or `variable:<name>`; undefined if the text is none of them.
 * @example parseClusterRule('tag:template') // { by: 'tag', name: 'template' }
 */
export function parseClusterRule(text: string): ClusterRule | undefined {
  if (text === 'test') return { by: 'test', name: '' };
  const [, by, name] = /^(tag|variable):(.*\S.*)$/.exec(text) ?? [];
  if ((by !== 'tag' && by !== 'variable') || name === undefined) return undefined;
  return { by, name };
}

/** The group of a case; undefined for a case that is a group of its own, because it has no such tag or variable. */
export function clusterName({ by, name }: ClusterRule, one: Clustered): string | undefined {
  switch (by) {
    case 'test':
      return one.test_id;
    case 'tag':
      return one.tags?.find((tag) => tag === name || tag.startsWith(`${name}:`));
    case 'variable': {
      const { variables = {} } = one;
      return Object.hasOwn(variables, name) ? JSON.stringify(variables[name]) : undefined;
    }
  }
}

/** Names the group of a case. */
export type GroupNamer = (one: Clustered) => string | undefined;

/** Names the groups of a run; without `--cluster` every case is a group of its own. */
export function groupNamer(start: { flags: Record<string, unknown> }): GroupNamer {
  const rule = loggedCluster(start);
  return rule === undefined ? () => undefined : (one) => clusterName(rule, one);
}

/** The rule that a run was started, or is reported, with. */
export function loggedCluster({ flags }: { flags: Record<string, unknown> }): ClusterRule | undefined {
  const { cluster } = flags;
  return typeof cluster === 'string' ? parseClusterRule(cluster) : undefined;
}
