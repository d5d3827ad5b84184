import { readdirSync } from 'node:fs';
import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { metrics } from '@opentelemetry/api';

const samplingMs = 20;
const openFiles = '/proc/self/fd';

/**
 * Exports processor time, memory, descriptors and event loop of this process. Names:
 * https://opentelemetry.io/docs/specs/semconv/system/process-metrics/ and https://opentelemetry.io/docs/specs/semconv/runtime/nodejs-metrics/.
 * Delays of the event loop cover the time since the previous collection of metrics. The heap after the last full garbage collection is
 * absent before the first one.
 */
export function exportProcessMetrics(): void {
  const meter = metrics.getMeter('husky.process');
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description });
  const delays = [50, 99].map((percentile) => ({
    percentile,
    gauge: gauge(`nodejs.eventloop.delay.p${percentile}`, 's', `Delay of the event loop, ${percentile}th percentile`),
  }));
  const longest = gauge('nodejs.eventloop.delay.max', 's', 'Longest delay of the event loop');
  const utilization = gauge('nodejs.eventloop.utilization', '1', 'Share of time in which the event loop was busy');
  const resident = gauge('process.memory.usage', 'By', 'Resident memory');
  const heap = gauge('v8js.memory.heap.used', 'By', 'Memory of live and unreachable objects of V8');
  const live = gauge('v8js.memory.heap.used_after_last_gc', 'By', "V8's heap after its last full garbage collection");
  const files = gauge('process.open_file_descriptor.count', '{file_descriptor}', 'Open file descriptors');
  const uptime = gauge('process.uptime', 's', 'Time since the start of the process');
  const cpu = meter.createObservableCounter('process.cpu.time', { unit: 's', description: 'Processor time' });

  const delay = monitorEventLoopDelay({ resolution: samplingMs });
  delay.enable();
  const heapAfterGc = observeHeapAfterGc();
  let busy = performance.eventLoopUtilization();
  meter.addBatchObservableCallback(
    (result) => {
      // The histogram measures the whole interval of its timer.
      const seconds = (ns: number) => Math.max(0, ns / 1e9 - samplingMs / 1000);
      for (const { percentile, gauge: one } of delays) result.observe(one, seconds(delay.percentile(percentile)));
      result.observe(longest, seconds(delay.max));
      delay.reset();
      const now = performance.eventLoopUtilization();
      result.observe(utilization, performance.eventLoopUtilization(now, busy).utilization);
      busy = now;
      const { rss, heapUsed } = process.memoryUsage();
      result.observe(resident, rss);
      result.observe(heap, heapUsed);
      const afterGc = heapAfterGc();
      if (afterGc !== undefined) result.observe(live, afterGc);
      const open = countOpenFiles();
      if (open !== undefined) result.observe(files, open);
      result.observe(uptime, process.uptime());
      const { user, system } = process.cpuUsage();
      result.observe(cpu, user / 1e6, { 'cpu.mode': 'user' });
      result.observe(cpu, system / 1e6, { 'cpu.mode': 'system' });
    },
    [...delays.map((one) => one.gauge), longest, utilization, resident, heap, live, files, uptime, cpu],
  );
}

/**
 * Returns a function for the bytes of V8's heap after its last full garbage collection: live objects, and what was allocated until the end
 * of that turn of the event loop.
 */
function observeHeapAfterGc(): () => number | undefined {
  let bytes: number | undefined;
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as (PerformanceEntry & { readonly detail: { readonly kind: number } })[];
    const full = entries.some(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
    if (full) bytes = getHeapStatistics().used_heap_size;
  });
  observer.observe({ type: 'gc' });
  return () => bytes;
}

/** Returns the number of open descriptors; undefined where the system does not list them. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync(openFiles).length;
  } catch {
    return undefined;
  }
}
