import { createHash } from 'node:crypto';
import { appendFileSync, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { CannotBackUp, type Manifest, manifestName, type Part, trailer } from './manifest.ts';

const readBytes = 1 << 20;
/** Suffix of an archive's name until it is complete. */
export const unfinished = '.unfinished';

/**
 * Writes a tar archive, compressed by zstd, with mode 0600. Records size and SHA-256 of every file for the manifest, which `finish` adds.
 * `finish` also renames the archive to its final name.
 */
export class ArchiveWriter {
  readonly #file: string;
  readonly #unfinished: string;
  readonly #pack: Pack = pack();
  readonly #written: Promise<void>;
  readonly #parts: Part[] = [];
  readonly #onBytes: (bytes: number) => void;

  constructor(file: string, onBytes: (bytes: number) => void) {
    if (existsSync(file)) throw new CannotBackUp(`The file ${file} exists already.`);
    this.#file = file;
    this.#unfinished = `${file}${unfinished}`;
    this.#onBytes = onBytes;
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
    });
    this.#written = pipeline(this.#pack, compress, createWriteStream(this.#unfinished, { mode: 0o600, flush: true }));
    // The call that awaits #written reports the error.
    this.#written.catch(() => undefined);
  }

  async addFolder(name: string, mode = 0o700): Promise<void> {
    await this.#orFailure(
      new Promise<void>((resolve, reject) => {
        this.#pack.entry({ name, type: 'directory', mode }, (error) => (error ? reject(error) : resolve()));
      }),
    );
  }

  async addText(name: string, content: string, mode = 0o600): Promise<void> {
    const bytes = Buffer.from(content);
    await this.#addEntry(name, bytes.length, mode, async function* () {
      yield bytes;
    });
  }

  /**
   * Adds a file with its current size: leaves out what is appended during the copy, and fills a file that is truncated during the copy
   * with zeros. Both happen to files of a running PostgreSQL and are repaired by its recovery. Ignores a file that does not exist.
   */
  async addFile(name: string, path: string): Promise<void> {
    const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (handle === undefined) return;
    try {
      const { size, mode } = await handle.stat();
      await this.#addEntry(name, size, mode & 0o777, async function* () {
        for (let at = 0; at < size; ) {
          const buffer = Buffer.alloc(Math.min(readBytes, size - at));
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
          const chunk = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
          yield chunk;
          at += chunk.length;
        }
      });
    } finally {
      await handle.close();
    }
  }

  /** Adds the manifest, flushes everything to disk and renames the archive to its final name. Returns the manifest's SHA-256. */
  async finish(): Promise<string> {
    const manifest: Manifest = { files: [...this.#parts] };
    await this.addText(manifestName, JSON.stringify(manifest));
    const sha256 = this.#parts.at(-1)?.sha256 ?? '';
    this.#pack.finalize();
    await this.#written;
    appendFileSync(this.#unfinished, trailer, { flush: true });
    renameSync(this.#unfinished, this.#file);
    return sha256;
  }

  /** Removes the unfinished archive. */
  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => undefined);
    rmSync(this.#unfinished, { force: true });
  }

  async #addEntry(name: string, size: number, mode: number, content: () => AsyncGenerator<Buffer>): Promise<void> {
    const hash = createHash('sha256');
    const onBytes = this.#onBytes;
    const entry = this.#pack.entry({ name, size, mode });
    const hashed = async function* () {
      for await (const chunk of content()) {
        hash.update(chunk);
        onBytes(chunk.length);
        yield chunk;
      }
    };
    await this.#orFailure(pipeline(Readable.from(hashed()), entry));
    this.#parts.push({ name, bytes: size, sha256: hash.digest('hex') });
  }

  /** Waits for an entry. Throws if the archive cannot be written, in which case the promise of the entry never settles. */
  #orFailure(entry: Promise<void>): Promise<void> {
    return Promise.race([entry, this.#written]);
  }
}
