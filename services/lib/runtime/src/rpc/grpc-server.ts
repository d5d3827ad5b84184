import { once } from 'node:events';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type { ServiceContract } from '@husky/contracts/services';
import {
  type Attributes,
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { createCauseLog } from '../process/cause-log.ts';
import type { Logger } from '../process/logger.ts';
import { checkedRequestId, withRequestId } from '../telemetry/request-id.ts';
import { spanAttribute } from '../telemetry/trace-context.ts';
import type { AccessTable, AnyRule, CallName, Rule } from './access.ts';
import { createAdmission } from './admission.ts';
import { withinCall } from './call-context.ts';
import type { Caller, LeaseCaller } from './caller.ts';
import { DomainError, messageOf } from './errors.ts';
import { maxMessageBytes } from './grpc-channel.ts';
import { keepBytes, readRequest, type Served, servedMethod } from './grpc-request.ts';
import { asDomainError, statusOf } from './grpc-status.ts';
import { guard, guardStream } from './guard.ts';
import type { IdentityVerifier } from './identity.ts';
import { isRead } from './method-options.ts';
import { checkedPartyField, type Party, withParty } from './party.ts';
import { parseRequestKey, withRequestKey } from './request-key.ts';
import type { Tls } from './tls.ts';

/** The context of one RPC, passed to its handler beside the request. */
export interface Call<C extends Caller = Caller> {
  /** The caller, narrowed by the rule of the access table. */
  readonly caller: C;
  /** Aborts when the client disconnects or its deadline passes before the handler has returned. */
  readonly signal: AbortSignal;
  /** Id of the HTTP request at the gateway; empty: none. */
  readonly requestId: string;
}

/** A call whose handler must pass the loaded resource to `check` before it returns anything. */
export interface CheckingCall<C extends Caller, Resource extends unknown[], Result = void> extends Call<C> {
  check(...resource: Resource): Result;
}

/** The type of call that a rule gives to its handler. */
export type CallOf<R> = R extends {
  readonly who: Rule<infer C, never>;
  readonly check: (caller: never, ...resource: infer Resource) => infer Result;
}
  ? CheckingCall<C, Resource, Result>
  : R extends Rule<infer C, never>
    ? Call<C>
    : never;

/** An async function per method, an async generator for streams. A thrown DomainError becomes the status. */
export type Handlers<D, A> = {
  [K in keyof D as CallName<K>]: D[K] extends MethodDefinition<infer _In, infer ResIn, infer ReqOut, infer _Out>
    ? (request: ReqOut, call: CallOf<A[CallName<K> & keyof A]>) => Promise<ResIn> | AsyncIterable<ResIn>
    : never;
};

export interface GrpcServer {
  /** Serves a contract; each call only to callers that its rule in `access` admits. */
  add<D, A extends AccessTable<D>>(contract: ServiceContract<D>, access: A, handlers: Handlers<D, A>): void;
  /** Listens on host:port (port 0: any free one) and returns the port. */
  listen(address: string): Promise<number>;
  /** Graceful shutdown: refuses new calls, waits for running ones and cancels them after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

type AnyCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;
type UnaryHandler = (request: unknown, call: Call) => Promise<unknown>;
type StreamHandler = (request: unknown, call: Call) => AsyncIterable<unknown>;

// The gateway opens up to 5,000 live streams (STREAMS_MAX) on one connection.
const maxStreamsPerConnection = 10_000;

// Calls of runners and services are not limited: there are few runners and services, and results must not wait for readers.
const maxVisitorCalls = 64;
const visitorQueue = {
  share: { account: 1 / 4, address: 1 / 2 },
  maxWaiting: 256,
  maxWaitMs: 2000,
  standingWaitMs: 200,
};

export function createGrpcServer(options: {
  verifier: IdentityVerifier;
  log: Logger;
  /** undefined: plaintext. */
  tls?: Tls | undefined;
}): GrpcServer {
  const { verifier, log, tls } = options;
  const logCause = createCauseLog(log);
  const services: { readonly definition: ServiceDefinition; readonly implementation: UntypedServiceImplementation }[] =
    [];
  let maxRequestBytes = 0;
  let server: Server | undefined;
  const tracer = trace.getTracer('husky.grpc');
  const visitors = createAdmission({ limit: () => maxVisitorCalls, ...visitorQueue });
  const durations = metrics
    .getMeter('husky.grpc')
    .createHistogram('rpc.server.duration', { unit: 'ms', description: 'Duration of an RPC' });

  async function inSpan(
    served: Served,
    call: AnyCall,
    work: (request: unknown, call: Call) => Promise<void>,
  ): Promise<void> {
    const { label: method } = served;
    const started = performance.now();
    const parent = propagation.extract(ROOT_CONTEXT, call.metadata.getMap());
    const span = tracer.startSpan(
      method,
      { kind: SpanKind.SERVER, attributes: { 'rpc.system': 'grpc', 'rpc.method': method } },
      parent,
    );
    const abort = new AbortController();
    let ended = false;
    // grpc-js reports the end of every call as a cancellation.
    call.on('cancelled', () => {
      if (!ended) abort.abort();
    });
    let code = 'OK';
    try {
      await context.with(trace.setSpan(parent, span), async () => {
        try {
          const requestId = checkedRequestId(call.metadata.get('x-request-id')[0]);
          const caller = await callerOf(call.metadata);
          const request = readRequest(served, call.request as Buffer, caller);
          if (caller.kind === 'lease') span.setAttributes(attributesOf(caller));
          await withRequestId(requestId, () =>
            withParty(partyOf(caller, call.metadata), () =>
              withRequestKey(parseRequestKey(call.metadata.get('x-request-key')[0]), () =>
                work(request, { caller, signal: abort.signal, requestId }),
              ),
            ),
          );
        } catch (error) {
          const refused = asDomainError(error, method, abort.signal.aborted);
          code = refused.code;
          if (refused.code === 'INTERNAL') {
            const line = `${method} failed: ${messageOf(error)}`;
            logCause('error', line, { err: error, method }, line);
          } else if (refused !== error && refused.code !== 'CANCELLED') {
            const cause = messageOf(error);
            logCause('warn', cause, { err: error, method }, `${method} could not be served: ${cause}`);
          }
          span.setStatus({ code: SpanStatusCode.ERROR, message: refused.code });
          throw refused;
        }
      });
    } finally {
      ended = true;
      span.setAttribute('rpc.status', code);
      span.end();
      durations.record(performance.now() - started, { method, code });
    }
  }

  async function callerOf(metadata: Metadata): Promise<Caller> {
    const [header] = metadata.get('authorization');
    const token = typeof header === 'string' && header.startsWith('Bearer ') ? header.slice(7) : undefined;
    if (!token) throw new DomainError('UNAUTHENTICATED', 'no-identity', "The caller's identity is missing");
    return verifier.verify(token);
  }

  const isVisitor = ({ caller }: Call) => caller.kind === 'anonymous' || caller.kind === 'user';

  /** Waits until the call of a visitor may run and returns the function that ends it. Throws CANCELLED when the caller cancels meanwhile. */
  async function admit(info: Call): Promise<() => void> {
    const { caller, signal } = info;
    try {
      if (isVisitor(info)) return await visitors.enter(caller.kind, { signal });
      signal.throwIfAborted();
      return () => undefined;
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new DomainError('CANCELLED', 'cancelled', 'The caller has left');
    }
  }

  /** Runs a handler within the limits of its call. A read is cancelled when its caller leaves, a write is finished. */
  function handle(call: AnyCall, info: Call, read: boolean, work: () => Promise<void>): Promise<void> {
    const signal = read ? info.signal : undefined;
    return withinCall({ deadlineMs: deadlineOf(call), signal, visitor: isVisitor(info) }, work);
  }

  function unary(served: Served, read: boolean, handler: UnaryHandler): handleUnaryCall<unknown, unknown> {
    return (call, callback) => {
      let response: unknown;
      inSpan(served, call, async (request, info) => {
        const release = await admit(info);
        try {
          await handle(call, info, read, async () => {
            response = await handler(request, info);
          });
        } finally {
          release();
        }
      }).then(
        () => callback(null, response),
        (error: DomainError) => callback(statusOf(error)),
      );
    };
  }

  /** A stream frees its place with its first message: the gateway limits the number of open streams. */
  function streaming(served: Served, handler: StreamHandler): handleServerStreamingCall<unknown, unknown> {
    return (call) => {
      inSpan(served, call, async (request, info) => {
        const release = await admit(info);
        try {
          await handle(call, info, true, async () => {
            for await (const message of handler(request, info)) {
              release();
              if (info.signal.aborted) return;
              if (!call.write(message)) await once(call, 'drain', { signal: info.signal }).catch(() => undefined);
            }
          });
        } finally {
          release();
        }
      }).then(
        () => call.end(),
        // grpc-js sends the status of an emitted error; a destroyed stream would never end.
        (error: DomainError) => call.emit('error', Object.assign(new Error(error.message), statusOf(error))),
      );
    };
  }

  return {
    add(contract, access, handlers) {
      const implementation: UntypedServiceImplementation = {};
      for (const [name, method] of Object.entries(contract.client.service)) {
        const key = name.charAt(0).toLowerCase() + name.slice(1);
        const handler = (handlers as Record<string, unknown>)[key];
        if (!handler) throw new Error(`${contract.name} has no handler for ${name}`);
        const rule = (access as Record<string, AnyRule | undefined>)[key];
        if (!rule) throw new Error(`${contract.name} has no access rule for ${name}`);
        const label = `${contract.name}/${name}`;
        const served = servedMethod(label, method);
        maxRequestBytes = Math.max(maxRequestBytes, served.maxBytes);
        implementation[name] = method.responseStream
          ? streaming(served, guardStream(label, rule, handler as StreamHandler))
          : unary(served, isRead(method), guard(label, rule, handler as UnaryHandler));
      }
      services.push({ definition: keepBytes(contract.client.service), implementation });
    },
    listen(address) {
      const listening = new Server({
        'grpc.max_receive_message_length': maxRequestBytes,
        'grpc.max_send_message_length': maxMessageBytes,
        'grpc.max_concurrent_streams': maxStreamsPerConnection,
        // Makes clients reconnect through DNS, so that new pods get calls and terminating pods get no more. No keepalive pings: they would
        // abort the calls that are still running then (grpc-client.ts).
        'grpc.max_connection_age_ms': 10_000,
      });
      for (const { definition, implementation } of services) listening.addService(definition, implementation);
      server = listening;
      return new Promise((resolve, reject) => {
        listening.bindAsync(address, tls?.server ?? ServerCredentials.createInsecure(), (error, port) =>
          error ? reject(error) : resolve(port),
        );
      });
    },
    async close(graceMs = 5000) {
      const closing = server;
      if (closing === undefined) return;
      await new Promise<void>((resolve) => {
        // A stream whose client has stopped reading never ends, not even after forceShutdown.
        const timer = setTimeout(() => {
          closing.forceShutdown();
          resolve();
        }, graceMs);
        closing.tryShutdown(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    },
  };
}

function attributesOf({ jobId, attempt, runner }: LeaseCaller): Attributes {
  return { [spanAttribute.jobId]: jobId, [spanAttribute.attempt]: attempt, [spanAttribute.runner]: runner };
}

/** Returns for whom a call is made. Services pass on for whom they work. */
function partyOf(caller: Caller, metadata: Metadata): Party {
  const account = caller.kind === 'user' ? caller.id : checkedPartyField(metadata.get('x-party-account')[0]);
  return { account, address: checkedPartyField(metadata.get('x-party-address')[0]) };
}

function deadlineOf(call: AnyCall): number {
  const deadline = call.getDeadline();
  return deadline instanceof Date ? deadline.getTime() : deadline;
}
