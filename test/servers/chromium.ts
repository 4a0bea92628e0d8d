// A real browser for the tests: unpacked once, before the first of them. ASSAY_TEST_CHROMIUM names another one.

import chromium from '@sparticuz/chromium';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to.
  interface ProvidedContext {
    chromium: string;
  }
}

export default async function setUp(project: TestProject): Promise<void> {
  const path = process.env['ASSAY_TEST_CHROMIUM'] ?? (await chromium.executablePath());
  project.provide('chromium', path);
}
