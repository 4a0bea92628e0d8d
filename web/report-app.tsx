// The report: shows the run in this file.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { packetsInPage } from './data/packet-source.ts';
import { RunData } from './data/run-data.ts';
import { RunPage } from './run/run-page.tsx';
import { Frame } from './ui/frame.tsx';
import { plural } from './ui/words.ts';

type State = { data: RunData } | { problem: string } | { results: number };

const BASE: string[] = [];

export function ReportApp(): VNode {
  const [state, setState] = useState<State>({ results: 0 });
  useEffect(() => void read(setState), []);
  if ('data' in state) {
    return (
      <Frame>
        <RunPage data={state.data} version={0} base={BASE} />
      </Frame>
    );
  }
  return (
    <Frame>
      <p class="page" role="status">
        {'problem' in state ? state.problem : `Reading ${plural(state.results, 'result')} …`}
      </p>
    </Frame>
  );
}

async function read(tell: (state: State) => void): Promise<void> {
  const data = new RunData();
  let last = performance.now();
  try {
    for (const packet of packetsInPage()) {
      await data.addPacket(packet);
      if (performance.now() - last < 200) continue;
      tell({ results: data.results });
      last = performance.now();
    }
    data.settle();
  } catch (error) {
    tell({ problem: `This report is damaged: its data cannot be read (${String(error)}).` });
    return;
  }
  tell({ data });
}
