// Runs a program and measures wall time and the peak memory of its whole process tree.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CLI = resolve(dirname(fileURLToPath(import.meta.url)), '../dist/cli.js');

/** Returns `{ ms, peakMb, code, stderr }`. Samples memory only with `memory`, because sampling slows the program down. */
export function measure(command, args, { cwd, env, memory = false } = {}) {
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr = (stderr + chunk).slice(-2000)));
    let peak = 0;
    const sample = () => (peak = Math.max(peak, treeMemory(child.pid)));
    const timer = memory ? setInterval(sample, 50) : undefined;
    child.on('error', fail);
    child.on('exit', (code) => {
      clearInterval(timer);
      done({ ms: performance.now() - started, peakMb: peak / 1024, code, stderr });
    });
  });
}

/** Resident kilobytes of a process and all its descendants. */
function treeMemory(root) {
  const parents = new Map();
  const memory = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
      memory.set(Number(name), Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    } catch {
      // The process ended meanwhile.
    }
  }
  const isOurs = (pid) => {
    for (let current = pid; current !== undefined && current > 1; current = parents.get(current))
      if (current === root) return true;
    return false;
  };
  let sum = 0;
  for (const [pid, size] of memory) if (isOurs(pid)) sum += size;
  return sum;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Prints one line `name  value  (wanted)  ok` and returns whether the value is ok. */
export function verdict(name, value, isFine, wanted) {
  console.log(`${isFine ? '✓' : '✗'} ${name}: ${value} (wanted: ${wanted})`);
  return isFine;
}
