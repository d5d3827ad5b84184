import { Client, connectivityState, credentials, type ServiceError, status } from '@grpc/grpc-js';
import type { Tls } from './tls.ts';

/** Largest message that a client or server sends, and that a client accepts. */
export const maxMessageBytes = 16 * 1024 * 1024;
const options = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // Pods are replaced: after a lost connection the name is resolved again at once.
  'grpc.dns_min_time_between_resolutions_ms': 500,
  // A client that reconnects must not share the connection of another client.
  'grpc.use_local_subchannel_pool': 1,
};

/** Time without any response after which a connection counts as silent. */
export const maxSilentMs = 5000;
const maxReconnectMs = 2000;

export interface Connection {
  readonly client: Client;
  /** When it was last lost (performance.now()). */
  lostAtMs: number;
  /** Unary calls that have not ended. */
  pending: number;
  /** Since when the server has not responded although unary calls are pending (performance.now()); undefined: none is pending. */
  silentSince: number | undefined;
}

export interface Channel {
  /** The client of the current connection. */
  readonly client: Client;
  /** Returns the connection for a new unary call. Replaces a silent one; its pending calls continue on it. */
  startCall(): Connection;
  endCall(used: Connection, error: ServiceError | null): void;
  /** Waits for a new connection if the last one was lost a moment ago, at most until `deadlineMs` (Unix time). */
  waitUntilConnected(deadlineMs: number): Promise<void>;
  close(): void;
}

/**
 * Creates the channel of a client to one service. Opens a new connection when the server has responded to no call for 5 s, since its
 * machine may no longer exist. A server that is only slow keeps its connection: another TLS handshake would delay its calls further.
 * gRPC's own pings cannot be used for that: grpc-js treats a connection that the server is closing (`max_connection_age_ms`) as lost and
 * aborts its calls. For 2 s after all connections were lost, calls wait for a new one: until then the name is resolved again, and a pod
 * that has replaced the lost one is found. Later they fail at once.
 */
export function createChannel(service: string, address: string, tls?: Tls): Channel {
  const createConnection = (): Connection => {
    const client = new Client(address, tls?.client ?? credentials.createInsecure(), {
      ...options,
      'grpc.ssl_target_name_override': service,
    });
    const created: Connection = { client, lostAtMs: Number.NEGATIVE_INFINITY, pending: 0, silentSince: undefined };
    noteLoss(created);
    return created;
  };
  let connection = createConnection();
  let closed = false;
  return {
    get client() {
      return connection.client;
    },
    startCall() {
      const { client, silentSince } = connection;
      if (!closed && silentSince !== undefined && performance.now() - silentSince >= maxSilentMs) {
        connection = createConnection();
        client.close();
      }
      connection.pending += 1;
      connection.silentSince ??= performance.now();
      return connection;
    },
    endCall(used, error) {
      used.pending -= 1;
      // Known to this side only: the call may not have reached the server.
      if (error?.code === status.CANCELLED || error?.code === status.DEADLINE_EXCEEDED) return;
      used.silentSince = used.pending > 0 ? performance.now() : undefined;
    },
    async waitUntilConnected(deadlineMs) {
      const used = connection;
      if (used.client.getChannel().getConnectivityState(true) === connectivityState.READY) return;
      const waitMs = used.lostAtMs + maxReconnectMs - performance.now();
      if (waitMs <= 0) return;
      const untilMs = Math.min(Date.now() + waitMs, deadlineMs);
      await new Promise<void>((resolve) => used.client.waitForReady(untilMs, () => resolve()));
    },
    close() {
      closed = true;
      connection.client.close();
    },
  };
}

/** Sets `lostAtMs` whenever an open connection is lost, also while there are no calls, until the client is closed. */
function noteLoss(connection: Connection): void {
  const channel = connection.client.getChannel();
  const state = channel.getConnectivityState(false);
  if (state === connectivityState.SHUTDOWN) return;
  channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => {
    if (state === connectivityState.READY) connection.lostAtMs = performance.now();
    noteLoss(connection);
  });
}

/** Whether a call ended without a response of the service: each error of a service has a reason. */
export const isConnectionLoss = ({ code, metadata }: ServiceError): boolean =>
  code === status.UNAVAILABLE && metadata?.get('reason').length === 0;
