import { expect, test } from 'vitest';
import { findProcessCalls } from './process-calls.ts';

test.each([
  ['Process("scripts.a.B", 1)', { names: ['scripts.a.B'], prefixes: [] }],
  ["const x = Process('scripts.a.B');", { names: ['scripts.a.B'], prefixes: [] }],
  ['Process(\n  `scripts.a.B`,\n  1)', { names: ['scripts.a.B'], prefixes: [] }],
  ['globalThis.Process?.("scripts.a.B")', { names: ['scripts.a.B'], prefixes: [] }],
  ['(0, import_runtime.Process)("scripts.a.B", x)', { names: ['scripts.a.B'], prefixes: [] }],
  ['Process("a.b.C"); Process("a.b.C"); Process("d.e.F")', { names: ['a.b.C', 'd.e.F'], prefixes: [] }],
  ['Process("scripts.a." + name, 1)', { names: [], prefixes: ['scripts.a.'] }],
  ['Process(`scripts.a.${name}`, 1)', { names: [], prefixes: ['scripts.a.'] }],
  ['Process(name, "x")', { names: [], prefixes: [''] }],
  ['const call = Process;', { names: [], prefixes: [''] }],
  ['names.map(Process)', { names: [], prefixes: [''] }],
  ['var call = import_runtime.Process;', { names: [], prefixes: [''] }],
  ['function Process(name) {} queue.Process(job); Process(); MyProcess(x)', { names: [], prefixes: [] }],
  [
    'var __assay = { "Process": typeof Process === "undefined" ? void 0 : Process };',
    { names: [], prefixes: [] },
  ],
  ['const prompt = "Process the text.";', { names: [], prefixes: [] }],
  ['f();\n//# sourceMappingURL=data:Process(x)', { names: [], prefixes: [] }],
])('%s', (code, calls) => {
  expect(findProcessCalls(code)).toEqual(calls);
});
