import type { StartEvent } from '../../model/event.ts';
import type { LoggedIsolation } from '../../model/isolation.ts';

const TEXTS: Record<LoggedIsolation, string> = {
  none: 'none: the agent ran in the process that judged it, which it could have changed',
  verdicts: 'of the verdicts only: the agent ran in the program that started the run',
};

/** How a run was less isolated than usual; undefined for most runs. */
export function isolationText({ isolation }: Pick<StartEvent, 'isolation'>): string | undefined {
  return isolation === undefined ? undefined : TEXTS[isolation];
}
