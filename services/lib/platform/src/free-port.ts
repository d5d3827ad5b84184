import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of ephemeral ports (Linux: from 32768, IANA: from 49152): no outgoing connection can take the port between the
// check and the start of the server.
const firstPort = 15_000;
const lastPort = 31_999;
const attempts = 50;

/** Returns a TCP port that is free on every address of this machine; `preferred` if that is free. Throws when 50 ports were taken. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred > 0 && (await isFree(preferred))) return preferred;
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
