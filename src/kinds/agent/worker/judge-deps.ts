// Dependencies of assertions: other agents and embeddings.

import { forwardWaiting } from '../../../agents/adapter.ts';
import { AttemptError } from '../../../errors.ts';
import type { JudgeDeps } from '../../../judge/assertion.ts';
import type { Attempt } from '../../../model/attempt.ts';
import type { AttemptDeps } from './attempt-deps.ts';

/** Created for every attempt, so everything is loaded only when used. */
export function createJudgeDeps(
  { root, context }: Pick<Attempt, 'context' | 'root'>,
  deps: AttemptDeps,
): JudgeDeps {
  return {
    root,
    context,
    ...forwardWaiting(deps),
    get signal() {
      return deps.signal;
    },
    async ask({ use, connector }, { input, metadata, options }) {
      const { askAgent, contextFor } = await import('./ask-agent.ts');
      const judge =
        use === undefined ? await deps.directory.judge(connector ?? '') : await deps.directory.agent(use);
      const { metadata: _metadata, ...own } = options ?? {};
      const chosen = connector === undefined ? own : { ...own, connector };
      const { id } = judge.definition;
      const blame = new AttemptError('judge', `the judge ${id} has not answered`);
      return askAgent(judge, input, contextFor(context, id, metadata), { deps, options: chosen, blame });
    },
    async embed(connector, texts) {
      const { embed } = await import('../../../connectors/embed.ts');
      const found = await deps.directory.connector(connector);
      const log = (line: string): void => console.log(line);
      const release = deps.waiting?.(new AttemptError('judge', `connector "${connector}" has not answered`));
      const { signal, retries = 0 } = deps;
      return embed(found, texts, { root, signal, retries, log, ...forwardWaiting(deps) }).finally(release);
    },
  };
}
