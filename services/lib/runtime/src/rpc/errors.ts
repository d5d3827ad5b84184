/** The codes that a refusal may have: names of gRPC statuses. The gateway maps them to HTTP (gateway/src/http/errors.ts). */
export const errorCodes = [
  'INVALID_ARGUMENT',
  'OUT_OF_RANGE',
  'FAILED_PRECONDITION',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'ABORTED',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'CANCELLED',
  'INTERNAL',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * A refusal that is returned to the caller. `reason` is a stable kebab-case identifier for programs, `message` one
 * sentence for people; neither contains secrets. `retryAfterS` (seconds) goes with RESOURCE_EXHAUSTED. `cause` is only
 * logged.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly reason: string;
  readonly retryAfterS: number | undefined;

  constructor(
    code: ErrorCode,
    reason: string,
    message: string,
    options: { retryAfterS?: number; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.reason = reason;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Returns the message of whatever was thrown, as one line for a log. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
