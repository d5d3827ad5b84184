// A simple package index (PEP 503) over folders of wheels, for pods without a route to the public index.
import { createReadStream, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';

const normalizeName = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');

/** Serves the wheels in `folders` at host:port until `close`. Lists the folders at each request, so wheels can be added. */
export async function servePackages(
  folders: readonly string[],
  host: string,
  port: number,
): Promise<{ close: () => void }> {
  const wheels = () =>
    folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.whl'))
        .map((name) => join(folder, name)),
    );
  const server = createServer((request, response) => {
    const [, kind, name = ''] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    if (kind === 'simple') {
      const links = wheels()
        .map((wheel) => basename(wheel))
        .filter((wheel) => normalizeName(wheel.split('-')[0] ?? '') === normalizeName(name))
        .map((wheel) => `<a href="/files/${wheel}">${wheel}</a>`);
      response.writeHead(links.length === 0 ? 404 : 200, { 'content-type': 'text/html' });
      response.end(`<!DOCTYPE html><html><body>${links.join('\n')}</body></html>`);
      return;
    }
    const path = wheels().find((wheel) => basename(wheel) === name);
    if (kind !== 'files' || path === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return { close: () => void server.close() };
}
