/** Logs a failure to the browser's console, for whoever looks into it. `error`: its message is appended; no tokens, no bodies. */
export function logFailure(text: string, error?: unknown): void {
  const message = error instanceof Error ? `: ${error.message}` : '';
  // biome-ignore lint/suspicious/noConsole: the console is the web app's log
  console.warn(text + message);
}
