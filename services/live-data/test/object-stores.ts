import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { Objects } from '../src/archive/objects.ts';
import { type ObjectsSettings, openObjects } from '../src/archive/open-objects.ts';
import type { S3Settings } from '../src/archive/s3-client.ts';

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
    objects: await openObjects(settings),
    interrupt: () => rename(folder, away),
    resume: () => rename(away, folder),
    stop: () => rm(parent, { recursive: true, force: true }),
  };
}

// The server knows this account only.
const account = 'S3RVER';

interface S3Store extends ObjectStore {
  readonly settings: { readonly s3: S3Settings };
}

interface S3StoreOptions {
  /** Replaces settings of the client. */
  readonly change?: Partial<S3Settings>;
  /** Accepts wrong signatures: the server miscalculates those of lists, because it takes their path without the slash at its end. */
  readonly acceptsAnySignature?: boolean;
  /** The server listens on it. */
  readonly address?: string;
}

/** Starts a server with the API of S3, which checks signatures. */
export async function s3Store(options: S3StoreOptions = {}): Promise<S3Store> {
  const { change = {}, acceptsAnySignature = false, address = '127.0.0.1' } = options;
  const directory = await mkdtemp(join(tmpdir(), 'husky-s3-'));
  const bucket = 'husky-archive';
  const launch = async (port: number) => {
    const server = new S3rver({
      directory,
      address,
      port,
      silent: true,
      allowMismatchedSignatures: acceptsAnySignature,
      configureBuckets: [{ name: bucket }],
    });
    return { server, port: (await server.run()).port };
  };
  const { server, port } = await launch(0);
  let running: S3rver | undefined = server;
  const stopServer = async () => {
    await running?.close();
    running = undefined;
  };
  const s3 = {
    endpoint: `http://${address}:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: 'a/platform',
    accessKeyId: account,
    secretAccessKey: account,
    ...change,
  };
  return {
    settings: { s3 },
    objects: await openObjects({ s3 }),
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
