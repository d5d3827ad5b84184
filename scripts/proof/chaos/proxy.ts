import { connect, createServer, type Server, type Socket } from 'node:net';
import { splitAddress } from '@husky/runtime/process/lifecycle';

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
  /** Resolves when replies are forwarded again; undefined: they are. */
  #held: PromiseWithResolvers<void> | undefined;

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

  /** Resets all connections. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  /** Makes connections half-open until `releaseReplies`: requests arrive, replies do not, and neither side gets an error. */
  holdReplies(): void {
    this.#held ??= Promise.withResolvers();
  }

  /** Ends `holdReplies` and delivers what was held back. */
  releaseReplies(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  /** Makes all existing connections silent, as after the loss of a machine. New ones work. */
  silenceConnections(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  async close(): Promise<void> {
    this.releaseReplies();
    this.cut();
    await new Promise<void>((resolve) => this.#listener.close(() => resolve()));
  }

  #accept(client: Socket): void {
    if (this.#target === '') {
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
    void this.#forward(pair, client, server).catch(end);
    void this.#forward(pair, server, client).catch(end);
  }

  async #forward(pair: Pair, from: Socket, to: Socket): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (from === pair.server) await this.#held?.promise;
      if (pair.isSilent) continue;
      if (to.destroyed) return;
      if (!to.write(chunk)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
    }
    if (!pair.isSilent) to.end();
  }
}
