export type FieldError = { field: string; message: string };

type ErrorParts = {
  status: number;
  detail: string;
  reason?: string | undefined;
  errors?: FieldError[] | undefined;
  retryAfter?: number | undefined;
};

/** A failed call. `status` is 0 without a response; `detail` is the server's sentence or ''; `retryAfter` is in seconds. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly detail: string;
  readonly reason: string | undefined;
  readonly errors: FieldError[];
  readonly retryAfter: number | undefined;

  constructor(parts: ErrorParts, message?: string) {
    super(message ?? (parts.detail || `Request failed with status ${parts.status}`));
    this.status = parts.status;
    this.detail = parts.detail;
    this.reason = parts.reason;
    this.errors = parts.errors ?? [];
    this.retryAfter = parts.retryAfter;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((entry) => ({
    field: textOf(entry.path) ?? '',
    message: textOf(entry.message) ?? '',
  }));
}

/** Converts an error response to an ApiError. A body that is not JSON gives an empty detail. */
export function errorFrom(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const record = isRecord(body) ? body : {};
  const seconds = Number(retryAfter);
  return new ApiError({
    status,
    detail: textOf(record.detail) ?? textOf(record.error) ?? '',
    reason: textOf(record.reason),
    errors: fieldErrors(record.errors),
    retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
  });
}

/** Returns whether the error is an ApiError with one of the statuses (with any status if none is given). */
export function isApiError(error: unknown, ...statuses: number[]): error is ApiError {
  return error instanceof ApiError && (statuses.length === 0 || statuses.includes(error.status));
}

/** Returns the server's detail, else the fallback. */
export function detailOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.detail !== '' ? error.detail : fallback;
}

/**
 * Returns the server's detail, else the message of a call without a response, else the fallback. A response without a detail
 * gets the fallback, because its status alone does not help the user.
 */
export function messageOf(error: unknown, fallback = 'Unknown error'): string {
  if (error instanceof ApiError && error.status > 0) return detailOf(error, fallback);
  return error instanceof Error && error.message !== '' ? error.message : fallback;
}
