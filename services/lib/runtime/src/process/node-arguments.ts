import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Arguments of Node for services and dealers outside of containers: V8's young generation takes at most 48 MiB, three semi-spaces. Without
 * the limit it grows to 192 MiB on a machine with 24 GiB. In containers their memory limits have this effect (docs/performance.md, Memory).
 * Stack traces name the lines of the sources, also of bundled ones. `gc` is for collectWhenIdle.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=16', '--enable-source-maps', '--expose-gc'];

const startedMs = 3000;
const firstCheckMs = 2000;
const checkMs = 30_000;
const idleShare = 0.02;
const grownBytes = 4 * 2 ** 20;

/**
 * Frees what the start and each busy time have left, when this process has done nearly nothing for 30 s, after its start for 2 s, and its
 * heap has grown by 4 MiB, in one pause of about 0.1 s. V8 alone would keep it until the heap has doubled. Does nothing without
 * `nodeArguments`.
 */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  const heapBytes = () => getHeapStatistics().total_physical_size;
  let keptBytes = 0;
  let checked = performance.eventLoopUtilization();
  const check = () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, checked);
    checked = now;
    if (utilization >= idleShare || heapBytes() <= keptBytes + grownBytes) return;
    gc({ type: 'major', flavor: 'last-resort' });
    keptBytes = heapBytes();
  };
  setTimeout(() => {
    checked = performance.eventLoopUtilization();
    setTimeout(check, firstCheckMs).unref();
  }, startedMs).unref();
  setInterval(check, checkMs).unref();
}
