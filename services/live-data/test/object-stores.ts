import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { Objects } from '../src/archive/objects.ts';
import { type ObjectsSettings, openObjects } from '../src/archive/open-objects.ts';

/** A destination of the archive that a test can interrupt. */
export interface ObjectStore {
  readonly settings: ObjectsSettings;
  readonly objects: Objects;
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function folderStore(): Promise<ObjectStore> {
  const parent = await mkdtemp(join(tmpdir(), 'husky-archive-'));
  const folder = await mkdtemp(join(parent, 'hands-'));
  const settings = { folder };
  const away = join(parent, 'away');
  return {
    settings,
    objects: openObjects(settings),
    interrupt: () => rename(folder, away),
    resume: () => rename(away, folder),
    stop: () => rm(parent, { recursive: true, force: true }),
  };
}

// The server knows this account only.
const account = 'S3RVER';

/** Starts a server with the API of S3, which checks signatures. */
export async function s3Store(
  change: Partial<Extract<ObjectsSettings, { s3: object }>['s3']> = {},
): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'husky-s3-'));
  const bucket = 'husky-archive';
  const launch = async (port: number) => {
    const server = new S3rver({
      directory,
      address: '127.0.0.1',
      port,
      silent: true,
      configureBuckets: [{ name: bucket }],
    });
    const address = await server.run();
    return { server, port: address.port };
  };
  const { server, port } = await launch(0);
  let running: S3rver | undefined = server;
  const stopServer = async () => {
    await running?.close();
    running = undefined;
  };
  const s3 = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: 'a/platform',
    accessKeyId: account,
    secretAccessKey: account,
    ...change,
  };
  return {
    settings: { s3 },
    objects: openObjects({ s3 }),
    interrupt: stopServer,
    async resume() {
      running = (await launch(port)).server;
    },
    async stop() {
      await stopServer();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
