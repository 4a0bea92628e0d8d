// Calls of user code outside of attempts; the runner is loaded with the first one, because most runs have none.

import type { ErrandSetting } from '../execute/side-call-process.ts';
import type { Errands, ErrandResult } from '../execute/side-calls.ts';
import type { Errand } from '../execute/protocol.ts';

export type SideCallRunner = {
  /** Makes a call inside its time limit; throws RuntimeError. */
  run(call: Errand): Promise<ErrandResult>;
  /** Ends the process, if there is one. */
  close(): Promise<void>;
};

/** Creates the runner; no process is started yet. */
export function lazySideCalls(setting: ErrandSetting): SideCallRunner {
  let opened: Promise<Errands> | undefined;
  const open = async (): Promise<Errands> => {
    const { Errands } = await import('../execute/side-calls.ts');
    return new Errands(setting);
  };
  return {
    async run(call) {
      opened ??= open();
      return (await opened).run(call);
    },
    async close() {
      (await opened)?.close();
    },
  };
}
