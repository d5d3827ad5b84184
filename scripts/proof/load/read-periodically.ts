/** Calls `read` every `intervalMs`, without overlap, until the returned function is called, which waits for the read in progress. */
export function readPeriodically(read: () => Promise<void>, intervalMs: number): () => Promise<void> {
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, intervalMs);
  return () => {
    clearInterval(timer);
    return reading;
  };
}
