import { connect, createServer, type Server, type Socket } from 'node:net';
import { splitAddress } from '@husky/runtime/process/lifecycle';

/** The disturbance that a proxy applies to the bytes of its connections. */
export type Disturbance =
  | { readonly kind: 'none' }
  /** Every chunk arrives later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** A chunk is lost with this probability: it arrives after `ms`, as a TCP retransmission, and later chunks wait for it. */
  | { readonly kind: 'loss'; readonly probability: number; readonly ms: number; readonly random: () => number }
  /** Bytes towards the server arrive, replies do not, and neither side gets an error. New connections are accepted and stay silent. */
  | { readonly kind: 'half-open' }
  /** Nothing arrives in either direction, and new connections stay silent. */
  | { readonly kind: 'silent' }
  /** Existing and new connections are reset. */
  | { readonly kind: 'refuse' };

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** If true, no bytes are forwarded in either direction, and neither side gets an error. */
  isSilent: boolean;
}

/** A TCP proxy between two parts of the platform that can disturb their network. */
export class LinkProxy {
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  #target = '';
  #disturbance: Disturbance = { kind: 'none' };
  #cutAfterBytes = Number.POSITIVE_INFINITY;
  #resume: (() => void)[] = [];

  private constructor(listener: Server) {
    this.#listener = listener;
    listener.on('connection', (client) => this.#accept(client));
  }

  /** Listens on a free port of 127.0.0.1. Connections are refused until the target is known. */
  static async listen(): Promise<LinkProxy> {
    const listener = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(0, '127.0.0.1', resolve));
    return new LinkProxy(listener);
  }

  /** host:port of the proxy. */
  get address(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy is closed');
    return `127.0.0.1:${address.port}`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Sets the host:port to which connections are forwarded. */
  setTarget(target: string): void {
    this.#target = target;
  }

  disturb(disturbance: Disturbance): void {
    this.#disturbance = disturbance;
    if (disturbance.kind === 'refuse') this.cut();
    if (disturbance.kind !== 'half-open' && disturbance.kind !== 'silent') {
      for (const resume of this.#resume.splice(0)) resume();
    }
  }

  /** Resets all connections. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  /** Makes all existing connections silent, as after the loss of a machine. New ones work. */
  silenceConnections(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  /** Resets the connection that carries the n-th further byte towards a client, which is usually within a message. */
  cutAfter(bytes: number): void {
    this.#cutAfterBytes = bytes;
  }

  async close(): Promise<void> {
    this.disturb({ kind: 'none' });
    this.cut();
    await new Promise<void>((resolve) => this.#listener.close(() => resolve()));
  }

  #accept(client: Socket): void {
    if (this.#disturbance.kind === 'refuse' || this.#target === '') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const [host, port] = splitAddress(this.#target);
    const server = connect({ host, port, allowHalfOpen: true });
    const pair: Pair = { client, server, isSilent: false };
    this.#pairs.add(pair);
    const end = () => {
      client.destroy();
      server.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', end).on('close', end);
    void this.#forward(pair, 'request').catch(end);
    void this.#forward(pair, 'reply').catch(end);
  }

  async #forward(pair: Pair, direction: 'request' | 'reply'): Promise<void> {
    const [from, to] = direction === 'request' ? [pair.client, pair.server] : [pair.server, pair.client];
    for await (const chunk of from as AsyncIterable<Buffer>) {
      await this.#hold(direction);
      if (pair.isSilent) continue;
      if (to.destroyed) return;
      if (direction === 'reply' && chunk.length >= this.#cutAfterBytes) {
        const part = chunk.subarray(0, this.#cutAfterBytes);
        this.#cutAfterBytes = Number.POSITIVE_INFINITY;
        to.write(part, () => to.resetAndDestroy());
        from.resetAndDestroy();
        return;
      }
      if (direction === 'reply') this.#cutAfterBytes -= chunk.length;
      if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
    }
    if (!pair.isSilent) to.end();
  }

  /** Waits as long as the disturbance holds a chunk back. */
  async #hold(direction: 'request' | 'reply'): Promise<void> {
    const disturbance = this.#disturbance;
    const { kind } = disturbance;
    if (kind === 'delay') await pause(disturbance.ms);
    else if (kind === 'loss' && disturbance.random() < disturbance.probability) await pause(disturbance.ms);
    else if (kind === 'silent' || (kind === 'half-open' && direction === 'reply')) {
      await new Promise<void>((resolve) => this.#resume.push(resolve));
    }
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
