// Calls of user code outside of attempts; the runner is loaded with the first one, because most runs have none.

import type { SideCallSetting } from '../execute/side-call-process.ts';
import type { SideCalls, SideCallResult } from '../execute/side-calls.ts';
import type { SideCall } from '../execute/process/protocol.ts';

export type SideCallRunner = {
  /** Makes a call inside its time limit; throws RuntimeError. */
  run(call: SideCall): Promise<SideCallResult>;
  /** Ends the process, if there is one. */
  close(): Promise<void>;
};

/** Creates the runner; no process is started yet. */
export function lazySideCalls(setting: SideCallSetting): SideCallRunner {
  let opened: Promise<SideCalls> | undefined;
  const open = async (): Promise<SideCalls> => {
    const { SideCalls } = await import('../execute/side-calls.ts');
    return new SideCalls(setting);
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
