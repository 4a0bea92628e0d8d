import { ConfigError } from '../errors.ts';
import { WorkerProcess } from './process/worker-process.ts';

const TIMEOUT_MS = 30_000;

/** Runs a configuration file in a process of its own and gives its default export as JSON. */
export function evaluateInWorker(file: string, root: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new WorkerProcess({
      message(_worker, message) {
        if (message.type !== 'evaluated') return;
        if (message.error === undefined) end(() => resolve(message.value));
        else end(() => reject(new ConfigError(message.error ?? '', { at: file })));
      },
      exit: (_worker, how) => end(() => reject(new ConfigError(`its process ${how}`, { at: file }))),
    });
    const late = (): void => end(() => reject(new ConfigError('took longer than 30s to load', { at: file })));
    const timer = setTimeout(late, TIMEOUT_MS);
    worker.send({ type: 'evaluate', file, root });

    function end(settle: () => void): void {
      clearTimeout(timer);
      settle();
      worker.kill();
    }
  });
}
