import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LinkProxy } from './proxy.ts';

const services = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool'];
const parts = [...services, 'gateway'];

/** The connections between parts, as `client server`. Dealers use the pool's addresses of services, so `pool simulation` is also theirs. */
const partLinks: readonly string[] = [
  ...services.map((name) => `${name} postgres`),
  ...parts.map((name) => `${name} nats`),
  ...services.map((name) => `gateway ${name}`),
  ...['auth', 'submission', 'live-data'].map((name) => `simulation ${name}`),
  'live-data simulation',
  'leaderboard simulation',
  'submission simulation',
  ...['simulation', 'submission', 'live-data'].map((name) => `pool ${name}`),
];

/** The connections of the run's own clients. */
const clientLink = 'client gateway';

/** All connections that faults disturb. */
export const linkNames: readonly string[] = [...partLinks, clientLink];

/** A proxy on every connection between two parts of the platform. */
export class Links {
  readonly #proxies: ReadonlyMap<string, LinkProxy>;

  private constructor(proxies: ReadonlyMap<string, LinkProxy>) {
    this.#proxies = proxies;
  }

  static async open(): Promise<Links> {
    const entries = await Promise.all(linkNames.map(async (name) => [name, await LinkProxy.listen()] as const));
    return new Links(new Map(entries));
  }

  /** Returns the addresses of the proxies, by the parts that they connect. */
  get routes(): Record<string, string> {
    return Object.fromEntries(partLinks.map((name) => [name, this.proxy(name).address]));
  }

  /** Reads the addresses of the parts and sets the targets of the proxies. Call it after the addresses are written and before the parts are ready. */
  connect(dataDir: string): void {
    const addresses = JSON.parse(readFileSync(join(dataDir, 'addresses.json'), 'utf8')) as Record<
      string,
      string | { grpc: string }
    >;
    for (const name of partLinks) {
      const address = addresses[name.split(' ')[1] ?? ''];
      if (address === undefined) throw new Error(`the platform has no part for the link ${name}`);
      this.proxy(name).setTarget(typeof address === 'string' ? address : address.grpc);
    }
  }

  /** Returns an origin for the run's own clients, whose connections to the platform at `origin` pass through a proxy. */
  connectClients(origin: string): string {
    const proxy = this.proxy(clientLink);
    proxy.setTarget(new URL(origin).host);
    return `http://${proxy.address}`;
  }

  /** Returns the proxy of a link. */
  proxy(name: string): LinkProxy {
    const proxy = this.#proxies.get(name);
    if (proxy === undefined) throw new Error(`there is no link ${name}`);
    return proxy;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((proxy) => proxy.close()));
  }
}
