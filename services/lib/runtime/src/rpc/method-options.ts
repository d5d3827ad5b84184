import type { MethodDefinition } from '@grpc/proto-loader';

type Method = { readonly responseStream: boolean };

/** Returns the options that a proto sets for a method: MethodOptions of protobuf, and those of proto/husky/options.proto. */
const optionsOf = (method: Method) =>
  (method as MethodDefinition<unknown, unknown>).options as {
    readonly idempotency_level?: string;
    readonly '(husky.max_request_kib)'?: number;
  };

/** Returns whether a method only reads, so that it can be cancelled: one that is NO_SIDE_EFFECTS, or that returns a stream. */
export const isRead = (method: Method): boolean =>
  method.responseStream || optionsOf(method).idempotency_level === 'NO_SIDE_EFFECTS';

/** Returns whether a method may be called twice. */
export const isRepeatable = (method: Method): boolean => optionsOf(method).idempotency_level !== 'IDEMPOTENCY_UNKNOWN';

/** Returns the maximum size of a method's requests, in KiB. */
export const maxRequestKib = (method: Method): number => optionsOf(method)['(husky.max_request_kib)'] ?? 64;
