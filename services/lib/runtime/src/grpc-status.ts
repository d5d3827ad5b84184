import { status } from '@grpc/grpc-js';
import { type ErrorCode, errorCodes } from './errors.ts';

export function grpcStatusOf(code: ErrorCode): status {
  return status[code];
}

/** Maps a gRPC status number to our error code; a status without one is INTERNAL. */
export function errorCodeOf(grpcStatus: number | undefined): ErrorCode {
  return errorCodes.find((code) => status[code] === grpcStatus) ?? 'INTERNAL';
}
