import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { extract } from 'tar-stream';
import { CannotBackUp, type Header, headerName, type Manifest, manifestName, type Part, trailer } from './manifest.ts';

/** Receives the entries of an archive. */
export interface Sink {
  /** Called once, before all other methods. */
  onHeader(header: Header): void | Promise<void>;
  onFolder(name: string, mode: number): void | Promise<void>;
  /** Must read the stream to its end. */
  onFile(name: string, mode: number, content: AsyncIterable<Buffer>): Promise<void>;
  onBytes(bytes: number): void;
}

/**
 * Reads a complete archive. Throws CannotBackUp if it is not a backup, is truncated or damaged, or if a file differs from the manifest.
 * The sink receives files before the manifest has been read, so they may be used only after this resolves.
 */
export async function readArchive(file: string, sink: Sink): Promise<Manifest> {
  const end = (await checkEnd(file)) - 1;
  const tar = extract();
  let failure: unknown;
  const source = createReadStream(file, { highWaterMark: 1 << 20, end });
  const reading = pipeline(source, createZstdDecompress(), tar).catch((error: unknown) => {
    failure = error;
    tar.destroy();
  });
  const parts: Part[] = [];
  let manifest: Manifest | undefined;
  let first = true;
  try {
    for await (const entry of tar) {
      const { name, type, mode = 0o600 } = entry.header;
      checkName(name);
      const content = entry as unknown as AsyncIterable<Buffer>;
      if (first !== (name === headerName)) throw notABackup(file);
      first = false;
      if (type === 'directory') {
        entry.resume();
        await sink.onFolder(name.replace(/\/$/, ''), mode);
      } else if (type !== 'file') throw notABackup(file);
      else if (name === manifestName) manifest = parseJson<Manifest>(file, await readText(content));
      else if (name === headerName) {
        const { hashed, part } = withHash(name, content, sink);
        const text = await readText(hashed);
        parts.push(part());
        await sink.onHeader(parseJson<Header>(file, text));
      } else {
        const { hashed, part } = withHash(name, content, sink);
        await sink.onFile(name, mode, hashed);
        parts.push(part());
      }
    }
  } catch (error) {
    tar.destroy();
    source.destroy();
    await reading;
    throw failure === undefined || error instanceof CannotBackUp ? error : unreadable(file, failure, first);
  }
  await reading;
  if (failure !== undefined) throw unreadable(file, failure, first);
  if (first) throw notABackup(file);
  if (manifest === undefined) throw new CannotBackUp(`The backup ${file} is truncated: it has no manifest.`);
  compareWithManifest(file, manifest, parts);
  return manifest;
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Checks the first and last bytes of the file. Returns its size without the trailer. Throws CannotBackUp if they are not an archive's. */
async function checkEnd(file: string): Promise<number> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error, false);
  });
  try {
    const { size } = await handle.stat();
    const start = Buffer.alloc(zstdMagic.length);
    await handle.read(start, 0, start.length, 0);
    if (start.subarray(0, gzipMagic.length).equals(gzipMagic)) {
      throw new CannotBackUp(`${file} is compressed by gzip, which a backup is not: unpack it by gunzip first.`);
    }
    if (!start.equals(zstdMagic)) throw notABackup(file);
    const last = Buffer.alloc(trailer.length);
    await handle.read(last, 0, last.length, Math.max(0, size - last.length));
    if (!last.equals(trailer)) throw new CannotBackUp(`The backup ${file} is truncated: its end is missing.`);
    return size - trailer.length;
  } finally {
    await handle.close();
  }
}

const notABackup = (file: string) => new CannotBackUp(`${file} is not a backup of this platform.`);

function unreadable(file: string, cause: unknown, beforeFirst: boolean): CannotBackUp {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new CannotBackUp(`There is no file ${file}.`);
  if (code === 'EACCES' || code === 'EISDIR') return new CannotBackUp(`The file ${file} cannot be read (${code}).`);
  if (beforeFirst) return notABackup(file);
  return new CannotBackUp(`The backup ${file} is truncated or damaged: ${message}.`);
}

function checkName(name: string): void {
  if (isAbsolute(name) || normalize(name).split('/').includes('..')) {
    throw new CannotBackUp(`The backup names a file outside of the data folder: ${name}.`);
  }
}

/** Wraps the content so that it is hashed while it is read. `part` returns size and hash after the content has been read. */
function withHash(name: string, content: AsyncIterable<Buffer>, sink: Sink) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      sink.onBytes(chunk.length);
      yield chunk;
    }
  }
  return { hashed: hashed(), part: (): Part => ({ name, bytes, sha256: hash.digest('hex') }) };
}

function parseJson<T>(file: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw notABackup(file);
  }
}

async function readText(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function compareWithManifest(file: string, manifest: Manifest, parts: readonly Part[]): void {
  const found = new Map(parts.map((part) => [part.name, part]));
  for (const { name, bytes, sha256 } of manifest.files) {
    const part = found.get(name);
    if (part === undefined) throw new CannotBackUp(`The backup ${file} was changed: it lacks ${name}.`);
    if (part.bytes !== bytes || part.sha256 !== sha256) {
      throw new CannotBackUp(`The backup ${file} was changed: ${name} has another SHA-256 than its manifest says.`);
    }
    found.delete(name);
  }
  const [extra] = found.keys();
  if (extra !== undefined)
    throw new CannotBackUp(`The backup ${file} was changed: its manifest does not list ${extra}.`);
}
