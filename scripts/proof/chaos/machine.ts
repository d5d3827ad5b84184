import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chaos } from '../../up/chaos.ts';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { Clocks } from './clocks.ts';
import type { Fault } from './faults.ts';
import { inject } from './inject.ts';
import { Links } from './links.ts';
import type { Random } from './random.ts';
import { pause } from './workload.ts';

/** The platform under test. */
export interface Target {
  readonly origin: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** The reason why no clock can be moved here; undefined if clocks can be moved. */
  readonly clockProblem: string | undefined;
  /** Injects a fault and resolves when it is over, so that only its consequences remain. Throws CannotInject. */
  inject(fault: Fault, random: Random): Promise<void>;
  /** Returns the database URL of the superuser. */
  databaseUrl(): string;
  /** Returns whether every part is ready. */
  isReady(): Promise<boolean>;
  /** Stops the platform and removes its data. */
  stop(): Promise<void>;
}

/** Starts a platform without data whose parts connect through proxies. `onLine` receives the lines of its log. */
export async function startTarget(onLine: (line: string) => void): Promise<Target> {
  const links = await Links.open();
  const clocks = Clocks.open();
  const cleanUp = async () => {
    await links.close();
    if (clocks instanceof Clocks) clocks.remove();
  };
  const starting = new AbortController();
  try {
    const chaos: Chaos = { routes: links.routes, ...(clocks instanceof Clocks && { clocks: clocks.settings }) };
    const variables = { ...withoutLimits, LOG_LEVEL: 'info', CHAOS: JSON.stringify(chaos) };
    const dataDir = Promise.withResolvers<string>();
    const connecting = dataDir.promise.then((path) => connectLinks(links, path, starting.signal));
    const platform = await startOwnPlatform(variables, undefined, { onLine, onFolder: dataDir.resolve });
    await connecting;
    return {
      origin: links.connectClients(platform.origin),
      admin: platform.admin,
      clockProblem: typeof clocks === 'string' ? clocks : undefined,
      inject: (fault, random) => inject(fault, { dataDir: platform.dataDir, links, clocks }, random),
      databaseUrl: () => platform.databaseUrl(),
      isReady: () => isReady(platform.dataDir),
      async stop() {
        await platform.stop();
        await cleanUp();
      },
    };
  } catch (error) {
    starting.abort();
    await cleanUp();
    throw error;
  }
}

/** Waits until `make up` has written its addresses, before it starts the services, and connects the proxies. */
async function connectLinks(links: Links, dataDir: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      links.connect(dataDir);
      return;
    } catch {
      await pause(50, signal);
    }
  }
}

async function isReady(dataDir: string): Promise<boolean> {
  const addresses = JSON.parse(readFileSync(join(dataDir, 'addresses.json'), 'utf8')) as Record<
    string,
    string | { ops: string }
  >;
  const parts = Object.values(addresses).flatMap((address) => (typeof address === 'string' ? [] : [address.ops]));
  const states = await Promise.all(
    parts.map((address) =>
      fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(3000) }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.ok;
        },
        () => false,
      ),
    ),
  );
  return states.every((ready) => ready);
}
