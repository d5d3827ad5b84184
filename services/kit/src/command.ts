/** Runs a request; resolves with the fields of the result. The signal aborts when the caller stops the command. */
export type Command = (request: Readonly<Record<string, unknown>>, stop: AbortSignal) => Promise<object>;
