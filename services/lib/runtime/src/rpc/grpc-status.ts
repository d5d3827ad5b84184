import { Metadata, status } from '@grpc/grpc-js';
import { isCancelledStatement, isTransient } from '../process/retry.ts';
import { DomainError, type ErrorCode, errorCodes, messageOf } from './errors.ts';

/** Maps a gRPC status number to our error code; a status without one is INTERNAL. */
export function errorCodeOf(grpcStatus: number | undefined): ErrorCode {
  return errorCodes.find((code) => status[code] === grpcStatus) ?? 'INTERNAL';
}

/**
 * Returns the refusal for what the handler of `method` has thrown. Errors of a database that is away or overloaded are UNAVAILABLE: the
 * caller may try again. So is a cancellation that is not that of this call: Prisma reads for several calls by one statement.
 */
export function asDomainError(error: unknown, method: string, callerHasLeft: boolean): DomainError {
  const [service] = method.split('/');
  const isCancelled = isCancelledStatement(error) || (error instanceof DomainError && error.code === 'CANCELLED');
  if (isCancelled && callerHasLeft) return new DomainError('CANCELLED', 'cancelled', 'The caller has left');
  if (error instanceof DomainError && !isCancelled) return error;
  if (isCancelled && messageOf(error).includes('statement timeout')) {
    return new DomainError('DEADLINE_EXCEEDED', 'deadline-exceeded', `The ${service} service did not answer in time`);
  }
  if (isCancelled || isTransient(error)) {
    return new DomainError('UNAVAILABLE', 'service-unavailable', `The ${service} service is not available right now`);
  }
  return new DomainError('INTERNAL', 'internal', 'Internal server error');
}

/** Returns the status of a refusal, with its reason and time to retry as metadata. */
export function statusOf(error: DomainError) {
  const metadata = new Metadata();
  metadata.set('reason', error.reason);
  if (error.retryAfterS !== undefined) metadata.set('retry-after', String(error.retryAfterS));
  return { code: status[error.code], details: error.message, metadata };
}
