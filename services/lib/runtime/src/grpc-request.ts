import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import type { Caller } from './caller.ts';
import { DomainError } from './errors.ts';

const kib = 1024;
/** Largest message that a server sends or accepts, whatever its method. */
export const maxMessageBytes = 16 * 1024 * kib;
const defaultRequestBytes = 64 * kib;

/** Largest requests of the methods that need more than 64 KiB, in bytes. */
export const requestLimits: Readonly<Record<string, number>> = {
  'auth/GetNames': 256 * kib, // 5,000 ids
  'live-data/DeliverChunk': 1024 * kib, // 512 KiB of hands; the handler names its limit
  'live-data/DeliverSeatReport': 1024 * kib, // 256 KiB of output, in which each byte may become a character of three
  'live-data/GetStandings': maxMessageBytes, // all matches of a tag
  'live-data/StartExport': maxMessageBytes, // players, and batches with 64 KiB of metadata each
  'simulation/CordonRunners': 128 * kib, // 1,000 names
  'simulation/CreateTestRun': 3 * 1024 * kib, // two files of 1 MiB
  'simulation/SetBatchMetadata': 128 * kib, // 64 KiB of metadata; the handler names its limit
  'submission/StageBot': 3 * 1024 * kib,
  'submission/Upload': 3 * 1024 * kib,
};
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
export function servedMethod(label: string, method: MethodDefinition<unknown, unknown>): Served {
  const maxBytes = requestLimits[label] ?? defaultRequestBytes;
  return { label, maxBytes, deserialize: method.requestDeserialize };
}

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
