// Exports the run in other formats, with the same code as `-o`.

import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { EventSource } from '../../src/model/sink.ts';
import { csvReport } from '../../src/report/formats/csv.ts';
import { jsonReport } from '../../src/report/formats/json.ts';
import { jsonlReport } from '../../src/report/formats/jsonl.ts';
import { markdownReport } from '../../src/report/formats/markdown.ts';
import { Menu } from '../ui/menu.tsx';
import { useRun } from './run-context.ts';

const FORMATS: {
  label: string;
  extension: string;
  type: string;
  report(source: EventSource): AsyncIterable<string>;
}[] = [
  { label: 'JSON', extension: 'json', type: 'application/json', report: jsonReport },
  { label: 'CSV', extension: 'csv', type: 'text/csv', report: csvReport },
  { label: 'Markdown', extension: 'md', type: 'text/markdown', report: markdownReport },
  { label: 'Run log (JSONL)', extension: 'jsonl', type: 'application/x-ndjson', report: jsonlReport },
];

export function ExportMenu(): VNode {
  const { data, start } = useRun();
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const save = async ({ extension, type, report }: (typeof FORMATS)[number]): Promise<void> => {
    setBusy(extension);
    try {
      const parts: string[] = [];
      for await (const chunk of report(data.source())) parts.push(chunk);
      download(new Blob(parts, { type }), `assay-${start.run_id.slice(0, 8)}.${extension}`);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Menu label="Export">
      {(close) => (
        <>
          {FORMATS.map((format) => (
            <button
              key={format.extension}
              type="button"
              class="quiet"
              disabled={busy !== undefined}
              onClick={() => void save(format).finally(close)}
            >
              {busy === format.extension ? 'Writing …' : format.label}
            </button>
          ))}
          <button
            type="button"
            class="quiet"
            onClick={() => {
              close();
              print();
            }}
          >
            Print
          </button>
        </>
      )}
    </Menu>
  );
}

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
