// Information about the server: its application, and whether this page may change anything.

import { signal } from '@preact/signals';
import type { About } from './answers.ts';
import { address, read } from './api.ts';

export const about = signal<About | undefined>(undefined);

export async function loadAbout(): Promise<About> {
  const told = await read<About>(address(['about']));
  about.value = told;
  return told;
}

/** Whether runs can be started from this page; false until the server has confirmed it. */
export function canWrite(): boolean {
  return about.value?.can_write === true;
}
