// Runs docs/verify_match.py and docs/verify_batch.py against the platform and against falsified responses.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as client from './client.ts';

const docs = join(import.meta.dirname, '../../docs');
type Script = 'verify_match.py' | 'verify_batch.py';

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

interface Verdict {
  readonly code: number;
  readonly text: string;
}

/** Runs a script. `args`: what it verifies, and the head of the chain that was noted. */
export function verify(script: Script, origin: string, args: readonly string[], token?: string): Promise<Verdict> {
  const env = { PATH: process.env.PATH, ...(token === undefined ? {} : { TOKEN: token }) };
  return new Promise((resolve) => {
    // Isolated, except that a script finds the other one beside it.
    execFile('python3', ['-B', '-E', '-s', join(docs, script), origin, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr });
    });
  });
}

/** Changes a response's body. */
export type Change = (path: string, body: client.Body) => void;

/** Runs a script against a proxy that falsifies the platform's responses. */
export async function verifyTampered(script: Script, id: string, change: Change): Promise<Verdict> {
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const { status, body } = await client.call('GET', path);
    change(path, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await verify(script, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [id]);
  } finally {
    server.close();
  }
}
