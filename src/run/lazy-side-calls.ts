// Errands of a command; what runs them is loaded with the first one, because most runs have none.

import type { ErrandSetting } from '../execute/side-call-process.ts';
import type { Errands, ErrandResult } from '../execute/side-calls.ts';
import type { Errand } from '../execute/protocol.ts';

export type ErrandRunner = {
  /** Runs an errand inside its time limit; throws RuntimeError. */
  run(errand: Errand): Promise<ErrandResult>;
  /** Ends the process, if there is one. */
  close(): Promise<void>;
};

/** Creates the runner; no process is started yet. */
export function lazyErrands(setting: ErrandSetting): ErrandRunner {
  let opened: Promise<Errands> | undefined;
  const open = async (): Promise<Errands> => {
    const { Errands } = await import('../execute/side-calls.ts');
    return new Errands(setting);
  };
  return {
    async run(errand) {
      opened ??= open();
      return (await opened).run(errand);
    },
    async close() {
      (await opened)?.close();
    },
  };
}
