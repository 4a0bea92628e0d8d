import type { Scope } from './scope.ts';
export function createMock(_scope: Scope): object {
  return {};
}
