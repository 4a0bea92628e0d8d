// Describes the resources that a test left open after its result.

const NAMES: Record<string, string> = {
  ChildProcess: 'child process',
  FSEvent: 'file watcher',
  FSReqCallback: 'file operation',
  FSReqPromise: 'file operation',
  GetAddrInfoReqWrap: 'name lookup',
  Immediate: 'immediate',
  MessagePort: 'message port',
  PipeServerWrap: 'server',
  PipeWrap: 'pipe',
  ProcessWrap: 'child process',
  StatWatcher: 'file watcher',
  TCPServerWrap: 'server',
  TCPSocketWrap: 'connection',
  TLSWrap: 'connection',
  Timeout: 'timer',
  Worker: 'thread',
};

/** @example describeLeaks(['Timeout', 'Timeout', 'TCPServerWrap']) // 'still open after the result: 1 server, 2 timers' */
export function describeLeaks(resources: readonly string[] = []): string {
  if (resources.length === 0) return 'still running after the result';
  const counts = new Map<string, number>();
  for (const resource of resources) {
    const name = NAMES[resource] ?? resource;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, count]) => `${String(count)} ${name}${count === 1 ? '' : 's'}`);
  return `still open after the result: ${parts.sort().join(', ')}`;
}
