import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import type { Caller } from './caller.ts';
import { DomainError } from './errors.ts';
import { maxRequestKib } from './method-options.ts';

const kib = 1024;
/** Largest request of a runner. Its bots are written by strangers. */
const maxRunnerRequestBytes = 1024 * kib;

/** A method as it is served. */
export interface Served {
  /** For errors and metrics, such as auth/GetKeys. */
  readonly label: string;
  readonly maxBytes: number;
  readonly deserialize: (bytes: Buffer) => unknown;
}

/** Returns a method with its limit. */
export const servedMethod = (label: string, method: MethodDefinition<unknown, unknown>): Served => ({
  label,
  maxBytes: maxRequestKib(method) * kib,
  deserialize: method.requestDeserialize,
});

/** Returns a definition whose methods leave the request as it is, for `readRequest`. */
export function keepBytes(definition: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(definition).map(([name, method]) => [
    name,
    { ...method, requestDeserialize: (bytes: Buffer) => bytes },
  ]);
  return Object.fromEntries(methods) as ServiceDefinition;
}

/**
 * Reads the request of a verified caller: its objects take up to 50 times as much memory as its bytes. Throws INVALID_ARGUMENT for a
 * request that is malformed or too large; grpc-js itself would return INTERNAL with the parser's message.
 */
export function readRequest({ maxBytes, deserialize }: Served, bytes: Buffer, caller: Caller): unknown {
  const isRunner = caller.kind === 'runner' || caller.kind === 'lease';
  const limit = isRunner ? Math.min(maxBytes, maxRunnerRequestBytes) : maxBytes;
  if (bytes.length > limit) {
    throw new DomainError('INVALID_ARGUMENT', 'request-too-large', `The request is larger than ${limit / kib} KiB`);
  }
  try {
    return deserialize(bytes);
  } catch {
    throw new DomainError('INVALID_ARGUMENT', 'malformed-request', 'The request is not a message of this call');
  }
}
