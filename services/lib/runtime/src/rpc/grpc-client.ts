import { type CallOptions, type ClientReadableStream, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { ServiceContract } from '@husky/contracts/services';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { currentRequestId } from '../telemetry/request-id.ts';
import { currentLimits } from './call-context.ts';
import type { Caller } from './caller.ts';
import { DomainError } from './errors.ts';
import { createChannel, isConnectionLoss, maxSilentMs } from './grpc-channel.ts';
import { errorCodeOf } from './grpc-status.ts';
import { badIdentity, type IdentitySigner } from './identity.ts';
import { isRepeatable } from './method-options.ts';
import { currentParty } from './party.ts';
import { currentRequestKey, requestKeyText } from './request-key.ts';
import type { Tls } from './tls.ts';

export interface RpcOptions {
  /** On whose behalf the call is made; default: this service. */
  readonly caller?: Caller;
  /** A token that is sent unchanged (a runner's lease) instead of a signed identity. */
  readonly token?: string;
  /** Deadline in ms; default 10 s. Never later than the deadline of the call in which this one is made. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A function per method: unary ones return a Promise, streaming ones an async iterable. Errors are DomainErrors. */
export type RpcClient<D> = {
  [K in keyof D as K extends string
    ? string extends K
      ? never
      : Uncapitalize<K>
    : never]: D[K] extends MethodDefinition<infer ReqIn, infer _In, infer _Out, infer ResOut>
    ? D[K] extends { readonly responseStream: true }
      ? (request: ReqIn, options?: RpcOptions) => AsyncIterable<ResOut>
      : (request: ReqIn, options?: RpcOptions) => Promise<ResOut>
    : never;
} & { readonly close: () => void };

/** The client of a contract: ClientOf<typeof authService>. */
export type ClientOf<C> = C extends { readonly definition?: infer D } ? RpcClient<NonNullable<D>> : never;

/**
 * Creates a typed client of one service. Each call has a deadline (streams only when `timeoutMs` is given), the trace context and either
 * an identity signed for that service or the token given with the call. With TLS the server's certificate must contain the service's
 * name as a DNS name, whatever its address. For lost and silent connections see grpc-channel.ts. A call that its proto declares as
 * idempotent, or with a request key, is made once more, within the same deadline, when its connection is lost or silent for 5 s before a
 * response.
 */
export function createRpcClient<D>(
  contract: ServiceContract<D>,
  address: string,
  signer: IdentitySigner | undefined,
  tls?: Tls,
): RpcClient<D> {
  const channel = createChannel(contract.name, address, tls);
  const tracer = trace.getTracer('husky.grpc');
  const self: Caller = { kind: 'service', name: signer?.issuer ?? '' };

  async function metadataFor(options: RpcOptions): Promise<Metadata> {
    const metadata = new Metadata();
    const token = options.token ?? (await signer?.sign(contract.name, options.caller ?? self));
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
    const requestId = currentRequestId();
    if (requestId !== '') metadata.set('x-request-id', requestId);
    const { account, address } = currentParty();
    if (account !== '') metadata.set('x-party-account', account);
    if (address !== '') metadata.set('x-party-address', address);
    const key = keyOf(options);
    if (key !== undefined) metadata.set('x-request-key', requestKeyText(key));
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    for (const [key, value] of Object.entries(carrier)) metadata.set(key, value);
    return metadata;
  }

  const deadlineOf = (options: RpcOptions): number =>
    Math.min(Date.now() + (options.timeoutMs ?? 10_000), currentLimits().deadlineMs);

  type Method = MethodDefinition<unknown, unknown>;

  async function unary(label: string, method: Method, request: unknown, options: RpcOptions): Promise<unknown> {
    const span = tracer.startSpan(label, { kind: SpanKind.CLIENT });
    return context.with(trace.setSpan(context.active(), span), async () => {
      // Read before the call: background work may continue when the call that started it has ended.
      const signal = options.signal ?? currentLimits().signal;
      try {
        const metadata = await metadataFor(options);
        const deadline = deadlineOf(options);
        const attempt = async (onSilence?: () => void) => {
          await channel.waitUntilConnected(deadline);
          return send(method, request, metadata.clone(), { deadline }, signal, onSilence);
        };
        if (!isRepeatable(method) && keyOf(options) === undefined) return await attempt();
        return await repeatOnce(attempt, () => {
          if (signal?.aborted) return false;
          span.addEvent('retry');
          return true;
        });
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw isServiceError(error) ? domainError(contract.name, error, options) : error;
      } finally {
        span.end();
      }
    });
  }

  /** Calls `onSilence` when the connection has been silent for 5 s during the call. Rejects with a ServiceError. */
  function send(
    method: Method,
    request: unknown,
    metadata: Metadata,
    limits: CallOptions,
    signal: AbortSignal | undefined,
    onSilence?: () => void,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const used = channel.startCall();
      const cancel = () => call.cancel();
      const checkSilence = () => {
        const silentMs = performance.now() - (used.silentSince ?? performance.now());
        if (silentMs >= maxSilentMs) onSilence?.();
        else timer = setTimeout(checkSilence, maxSilentMs - silentMs);
      };
      let timer = onSilence && setTimeout(checkSilence, maxSilentMs);
      const call = used.client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        metadata,
        limits,
        (error, response) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
          channel.endCall(used, error);
          if (error) reject(error);
          else resolve(response);
        },
      );
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
  }

  async function* stream(method: Method, request: unknown, options: RpcOptions): AsyncGenerator<unknown> {
    const metadata = await metadataFor(options);
    const deadline = deadlineOf(options);
    await channel.waitUntilConnected(deadline);
    const call: ClientReadableStream<unknown> = channel.client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      options.timeoutMs === undefined ? {} : { deadline },
    );
    const cancel = () => call.cancel();
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted) cancel();
    try {
      for await (const message of call) yield message;
    } catch (error) {
      if (options.signal?.aborted) return;
      throw domainError(contract.name, error as ServiceError, options);
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      call.cancel();
    }
  }

  const methods: Record<string, unknown> = { close: channel.close };
  for (const [name, method] of Object.entries(contract.client.service)) {
    const key = name.charAt(0).toLowerCase() + name.slice(1);
    const label = `${contract.name}/${name}`;
    methods[key] = method.responseStream
      ? (request: unknown, options: RpcOptions = {}) => stream(method as Method, request, options)
      : (request: unknown, options: RpcOptions = {}) => unary(label, method as Method, request, options);
  }
  return methods as RpcClient<D>;
}

/**
 * Makes a call a second time when its connection is lost, or silent for 5 s. The first response counts: a server that is only slow may
 * still respond to the first call. Rejects with the error of the first call if both fail.
 */
async function repeatOnce(
  attempt: (onSilence?: () => void) => Promise<unknown>,
  mayRepeat: () => boolean,
): Promise<unknown> {
  const silence = Promise.withResolvers<void>();
  let repeated = false;
  const first = attempt(silence.resolve).catch((error: unknown) => {
    if (repeated || !isConnectionLoss(error as ServiceError) || !mayRepeat()) throw error;
    repeated = true;
    return attempt();
  });
  const isSilent = await Promise.race([first.then(() => false), silence.promise.then(() => true)]);
  if (!isSilent || repeated || !mayRepeat()) return first;
  repeated = true;
  return Promise.any([first, attempt()]).catch(({ errors }: AggregateError) => Promise.reject(errors[0]));
}

/** A service's own calls in the course of a call with a key are other calls. */
const keyOf = ({ caller }: RpcOptions) => (caller?.kind === 'user' ? currentRequestKey() : undefined);

const isServiceError = (error: unknown): error is ServiceError => error instanceof Error && 'metadata' in error;

function domainError(service: string, error: ServiceError, { token }: RpcOptions): DomainError {
  const code = errorCodeOf(error.code);
  const [reason] = error.metadata?.get('reason') ?? [];
  // The server rejects this service's identity, not the user's: a clock is wrong or a key is not distributed yet. Both are temporary.
  if (reason === badIdentity && token === undefined) {
    const message = `The ${service} service is not available right now`;
    return new DomainError('UNAVAILABLE', 'identity-refused', message, { cause: error });
  }
  const [retryAfter] = error.metadata?.get('retry-after') ?? [];
  if (typeof reason === 'string') {
    const retryAfterS = retryAfter === undefined ? undefined : Number(retryAfter);
    return new DomainError(code, reason, error.details, retryAfterS === undefined ? {} : { retryAfterS });
  }
  if (code === 'UNAVAILABLE') {
    const message = `The ${service} service is not available right now`;
    return new DomainError(code, 'service-unavailable', message, { cause: error });
  }
  if (code === 'DEADLINE_EXCEEDED') {
    return new DomainError(code, 'deadline-exceeded', `The ${service} service did not answer in time`);
  }
  return new DomainError(code, 'rpc-failed', error.details || `The ${service} service failed`);
}
