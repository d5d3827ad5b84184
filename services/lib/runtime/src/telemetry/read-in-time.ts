const readMs = 1000;

/**
 * Reads from a database or server for a collection of metrics. Returns undefined if the read fails or takes longer than a second, so
 * that an unreachable server delays no other metric.
 */
export async function readInTime<T>(read: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, readMs, undefined).unref());
  return Promise.race([read(), late]).catch(() => undefined);
}
