// An application with the assistant `calc`, whose tools a test describes.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReadTools } from './read-tools.ts';
import { readTools } from './read-tools.ts';

export const MATH = 'assistants/calc/mcps/math.mcp.yao';
export const SCHEMA = 'assistants/calc/mcps/mapping/math/schemes/add.in.yao';
export const math = { transport: 'process', tools: { add: 'agents.calc.tools.Add' } };

export type Application = {
  root: string;
  /** Values that are not text are written as JSON. */
  write(path: string, content: unknown): void;
  read(mcp: unknown, env?: Record<string, string>): Promise<ReadTools>;
  remove(): void;
};

export function createApplication(): Application {
  const root = mkdtempSync(join(tmpdir(), 'assay-read-tools-'));
  const write = (path: string, content: unknown): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 1));
  };
  write('assistants/calc/package.yao', '{}');
  write(
    'assistants/calc/src/tools.ts',
    'import { sum } from "./sum";\nfunction Add(given) { return sum(given); }\nfunction Sub() {}',
  );
  write('assistants/calc/src/sum.ts', 'export const sum = (given) => given.a + given.b;');
  return {
    root,
    write,
    read: (mcp, env = {}) =>
      readTools(mcp, {
        folder: join(root, 'assistants/calc'),
        agentId: 'calc',
        root,
        cwd: root,
        env: { PATH: process.env['PATH'] ?? '', ...env },
        at: (path) => `package.yao:${path.join('.')}`,
      }),
    remove: () => rmSync(root, { recursive: true }),
  };
}
