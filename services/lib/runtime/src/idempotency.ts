import type { MethodDefinition } from '@grpc/proto-loader';

type Method = { readonly responseStream: boolean };

/** Returns `idempotency_level`, which a proto sets for a method (MethodOptions of protobuf). */
const levelOf = (method: Method): string | undefined =>
  (method as MethodDefinition<unknown, unknown>).options.idempotency_level;

/** Returns whether a method only reads, so that it can be cancelled: one that is NO_SIDE_EFFECTS, or that returns a stream. */
export const isRead = (method: Method): boolean => method.responseStream || levelOf(method) === 'NO_SIDE_EFFECTS';

/** Returns whether a method may be called twice. */
export const isRepeatable = (method: Method): boolean => levelOf(method) !== 'IDEMPOTENCY_UNKNOWN';
