import { status } from '@grpc/grpc-js';

/** The gRPC status names a domain may answer with; house-style's table maps them to HTTP at the edge. */
export type ErrorCode =
  | 'INVALID_ARGUMENT'
  | 'OUT_OF_RANGE'
  | 'FAILED_PRECONDITION'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'CANCELLED'
  | 'INTERNAL';

const codes = new Set<string>([
  ...['INVALID_ARGUMENT', 'OUT_OF_RANGE', 'FAILED_PRECONDITION', 'UNAUTHENTICATED', 'PERMISSION_DENIED', 'NOT_FOUND'],
  ...['ALREADY_EXISTS', 'ABORTED', 'RESOURCE_EXHAUSTED', 'UNIMPLEMENTED', 'UNAVAILABLE', 'DEADLINE_EXCEEDED'],
  ...['CANCELLED', 'INTERNAL'],
]);

/**
 * A refusal that its caller may read. `reason` is a stable word in kebab-case for programs, `message` one sentence for
 * people; neither carries secrets. `retryAfterS` goes with RESOURCE_EXHAUSTED; `cause` is for the log alone.
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

export function grpcStatusOf(code: ErrorCode): status {
  return status[code];
}

export function errorCodeOf(grpcStatus: number | undefined): ErrorCode {
  const name = grpcStatus === undefined ? undefined : status[grpcStatus];
  return name !== undefined && codes.has(name) ? (name as ErrorCode) : 'INTERNAL';
}

/** One line for a log: the error's own message, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
