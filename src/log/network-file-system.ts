import { statfsSync } from 'node:fs';

/** Types of file systems that other machines write to as well, as Linux numbers them. */
const NETWORK: { [type: number]: string | undefined } = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xfe534d42: 'SMB',
  0xff534d42: 'SMB',
  0x00c36400: 'Ceph',
  0x0bd00bd0: 'Lustre',
  0x47504653: 'GPFS',
  0x5346414f: 'AFS',
};

/** The name of the network file system that a file is on; undefined if it is local or that is not known. */
export function networkFileSystem(
  path: string,
  readType = (file: string): number => statfsSync(file).type,
): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    // Some are negative, because they are read as signed numbers.
    return NETWORK[readType(path) >>> 0];
  } catch {
    return undefined;
  }
}
