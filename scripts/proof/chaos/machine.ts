import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOwnPlatform, withoutLimits } from '../../up/own-platform.ts';
import { Clocks } from './clocks.ts';
import { SmallDisk } from './disk.ts';
import { inject } from './inject.ts';
import { Links } from './links.ts';
import { createSchedule, describeFault, kinds, type MachineFault } from './machine-faults.ts';
import type { Target, Testbed } from './target.ts';
import { pause } from './workload.ts';

/** Testbed of `make chaos`: a separate platform on this machine. */
export const machine: Testbed<MachineFault> = {
  command: 'make chaos',
  kinds,
  shrinkRuns: 12,
  // The time of two lease expiries, because a second fault may hit the next attempt.
  patience: { recoverMs: 120_000, jobMs: 180_000 },
  createSchedule,
  describe: describeFault,
  groupOf: ({ kind }) => kind,
  start: startTarget,
};

/** Starts a platform whose parts connect through proxies, with its data on a separate file system if possible. */
async function startTarget(onLine: (line: string) => void): Promise<Target<MachineFault>> {
  const links = await Links.open();
  const disk = SmallDisk.mount();
  const clocks = Clocks.open();
  const cleanUp = async () => {
    await links.close();
    if (disk instanceof SmallDisk) disk.unmount();
    if (clocks instanceof Clocks) clocks.remove();
  };
  const starting = new AbortController();
  try {
    const variables = {
      ...withoutLimits,
      ROUTES: links.routes,
      LOG_LEVEL: 'info',
      CLOCKS: clocks instanceof Clocks ? clocks.variable : '',
    };
    const allVariables = disk instanceof SmallDisk ? { ...variables, DATA_DIR: disk.dataDir } : variables;
    const dataDir = Promise.withResolvers<string>();
    const connecting = dataDir.promise.then((path) => connectLinks(links, path, starting.signal));
    const platform = await startOwnPlatform(allVariables, undefined, { onLine, onFolder: dataDir.resolve });
    await connecting;
    const parts = { dataDir: platform.dataDir, links, disk, clocks, databaseUrl: () => platform.databaseUrl() };
    return {
      origin: links.connectClients(platform.origin),
      admin: platform.admin,
      missing: [
        ...(typeof disk === 'string' ? [`no fault fills the disk: ${disk}`] : []),
        ...(typeof clocks === 'string' ? [`no fault moves a clock: ${clocks}`] : []),
      ],
      inject: (fault, random) => inject(fault, parts, random),
      databaseUrl: parts.databaseUrl,
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
