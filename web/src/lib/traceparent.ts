function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/**
 * Returns a new W3C trace context (https://www.w3.org/TR/trace-context/) for one call: the trace starts with the user's click. It is marked
 * as sampled; the gateway's sampler decides whether the trace is recorded.
 */
export function newTraceparent(): string {
  return `00-${randomHex(16)}-${randomHex(8)}-01`;
}
