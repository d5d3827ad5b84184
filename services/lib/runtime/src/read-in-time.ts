const readMs = 1000;

/**
 * Returns what a collection of metrics reads from a database or server; undefined if it fails or takes longer than a second. So a server
 * that is away delays no other metric.
 */
export async function readInTime<T>(read: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, readMs, undefined).unref());
  return Promise.race([read(), late]).catch(() => undefined);
}
