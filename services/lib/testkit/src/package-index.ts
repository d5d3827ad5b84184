import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

/** Starts a simple package index (PEP 503) on 127.0.0.1 with these distributions. */
export async function startIndex(packages: Readonly<Record<string, readonly DistributionFile[]>>) {
  const requests: string[] = [];
  const held = new Map<string, Promise<void>>();
  /** HTTP statuses of the responses about a package, instead of its files. */
  const failing = new Map<string, number>();
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const [, kind, name = '', file] = (request.url ?? '').split('/');
    requests.push(request.url ?? '');
    await held.get(name);
    const failure = failing.get(name);
    if (failure !== undefined) return response.writeHead(failure).end();
    const found = packages[name];
    if (!found) return response.writeHead(404).end();
    const requested = found.find((candidate) => candidate.name === file);
    if (kind === 'files' && requested) return response.writeHead(200).end(requested.content);
    const links = found.map(({ name: fileName, content }) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      return `<a href="/files/${name}/${fileName}#sha256=${sha256}">${fileName}</a>`;
    });
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body>${links.join('<br>')}</body></html>`);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    requests,
    file: (name: string) =>
      Object.values(packages)
        .flat()
        .find((candidate) => candidate.name === name)?.content ?? '',
    failing,
    /** Holds back the responses about a package until the returned function is called. */
    hold(name: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, promise);
      return resolve;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export interface DistributionFile {
  readonly name: string;
  readonly content: Buffer;
}

/** Creates a pure-Python wheel whose module is `source`. */
export function wheel(
  name: string,
  version: string,
  source: string,
  requires: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): DistributionFile {
  const info = `${name}-${version}.dist-info`;
  const metadata = ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`];
  for (const requirement of requires) metadata.push(`Requires-Dist: ${requirement}`);
  const content: Record<string, string> = {
    [`${name}/__init__.py`]: source,
    ...more,
    [`${info}/METADATA`]: `${metadata.join('\n')}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = [...Object.keys(content).map((path) => `${path},,`), `${info}/RECORD,,`].join('\n');
  return {
    name: `${name}-${version}-py3-none-any.whl`,
    content: zip({ ...content, [`${info}/RECORD`]: `${record}\n` }),
  };
}

export function sourcePackage(name: string, version: string): DistributionFile {
  return { name: `${name}-${version}.tar.gz`, content: Buffer.from('source') };
}

/** Creates a .zip archive without compression. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const name = Buffer.from(path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, tail, name]));
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, list, end]);
}
