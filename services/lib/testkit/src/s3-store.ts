import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

// The server knows this account only.
const account = 'S3RVER';

interface S3StoreOptions {
  /** Accepts wrong signatures: the server miscalculates those of lists, because it takes their path without the slash at its end. */
  readonly acceptsAnySignature?: boolean;
  /** The server listens on it. */
  readonly address?: string;
}

/** Starts a server with the API of S3, which checks signatures. Between `interrupt` and `resume` it is unreachable. */
export async function s3Store(options: S3StoreOptions = {}) {
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
  let { server, port } = await launch(0);
  const settings = {
    endpoint: `http://${address}:${port}`,
    region: 'us-east-1',
    bucket,
    prefix: 'a/platform',
    accessKeyId: account,
    secretAccessKey: account,
  };
  return {
    settings,
    interrupt: () => server.close(),
    async resume() {
      ({ server, port } = await launch(port));
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
