import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that systems hand out to outgoing connections (Linux from 32768, IANA from 49152): between our look
// and the server's start nobody else takes one of these by chance.
const firstPort = 15_000;
const lastPort = 31_999;
const attempts = 50;

/** A TCP port that nobody uses, on any address of this machine; `wanted` where that is one. */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted > 0 && (await isFree(wanted))) return wanted;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(firstPort, lastPort + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${firstPort} and ${lastPort} in ${attempts} attempts`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
