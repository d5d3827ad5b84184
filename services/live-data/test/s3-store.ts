import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import type { S3Settings } from '../src/archive/s3-client.ts';

// The server knows this account only.
const account = 'S3RVER';

interface S3StoreOptions {
  /** Accepts wrong signatures: the server miscalculates those of lists, because it takes their path without the slash at its end. */
  readonly acceptsAnySignature?: boolean;
  /** The server listens on it. */
  readonly address?: string;
}

interface S3Store {
  readonly settings: { readonly s3: S3Settings };
  /** The server is unreachable until `resume`. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with the API of S3, which checks signatures. */
export async function s3Store(options: S3StoreOptions = {}): Promise<S3Store> {
  const { acceptsAnySignature = false, address = '127.0.0.1' } = options;
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
  };
  return {
    settings: { s3 },
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
