// The list one came from, to step through its cases and to go back to it.

import { signal } from '@preact/signals';
import type { Case } from '../data/run-data.ts';

export const lastListed = signal<{ cases: readonly Case[]; query: string } | undefined>(undefined);
