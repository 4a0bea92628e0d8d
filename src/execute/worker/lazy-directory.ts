import type { Directory } from '../../agents/adapter.ts';
import type { DirectoryOptions } from '../../agents/resolve/directory.ts';

/** A directory that is loaded with the first question: most attempts have none, and a worker has to start quickly. */
export function lazyDirectory(options: DirectoryOptions): Directory {
  let opening: Promise<Directory> | undefined;
  const open = async (): Promise<Directory> => {
    const { openDirectory } = await import('../../agents/resolve/directory.ts');
    return openDirectory(options);
  };
  const opened = (): Promise<Directory> => (opening ??= open());
  return {
    agent: async (name) => (await opened()).agent(name),
    judge: async (connector) => (await opened()).judge(connector),
    connector: async (id, folder) => (await opened()).connector(id, folder),
  };
}
