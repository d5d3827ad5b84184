import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** Thrown for a file that is not a readable export. The message is a sentence for the user. */
export class NotAnExport extends Error {
  override readonly name = 'NotAnExport';
}

/** Thrown for the zip archive of a batch's download. */
export class BatchDownload extends NotAnExport {}

export interface Manifest {
  readonly format_version: number;
  readonly luck_version?: number;
  readonly methodology_version?: number;
  readonly content: string;
  readonly batch_id: string | null;
  readonly batch_number: number | null;
  readonly period: { readonly from: string; readonly to: string; readonly ladder?: true } | null;
  readonly counts?: Readonly<Record<string, unknown>>;
  readonly matches: number;
  readonly hands: number;
  readonly files: readonly { readonly path: string; readonly size: number; readonly sha256: string }[];
}

export type Row = Readonly<Record<string, unknown>>;

// The limit for unpacked files. Those of exports are smaller, because each has about 5,000 hands.
const maxFileBytes = 256 << 20;
const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };

/** An open export. Reads its files only on demand. */
export class Archive {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly manifest: Manifest;
  /** The bytes of manifest.json. */
  readonly manifestText: string;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, manifestText: string) {
    this.#zip = zip;
    this.#entries = entries;
    this.manifest = parseManifest(manifestText);
    this.manifestText = manifestText;
  }

  /** Opens an export and reads its manifest. Throws NotAnExport. */
  static async open(path: string): Promise<Archive> {
    let zip: ZipFile;
    const entries = new Map<string, Entry>();
    try {
      zip = await openPromise(path, { lazyEntries: true, autoClose: false });
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    } catch (error) {
      throw new NotAnExport(`This is not a complete zip archive: ${(error as Error).message}.`, { cause: error });
    }
    const entry = entries.get('manifest.json');
    if (entry === undefined) throw new NotAnExport('The archive has no manifest.json: it is not an export.');
    return new Archive(zip, entries, String(await read(zip, entry)));
  }

  get paths(): string[] {
    return [...this.#entries.keys()];
  }

  /** Returns the content of a file; null if there is no such file. Throws an Error if it is damaged. */
  async read(path: string): Promise<Buffer | null> {
    const entry = this.#entries.get(path);
    return entry === undefined ? null : read(this.#zip, entry);
  }

  /** Returns the rows of a Parquet file; none if there is no such file. Throws an Error if the file is not Parquet. */
  async rows(path: string): Promise<Row[]> {
    const content = await this.read(path);
    if (content === null) return [];
    return parquetReadObjects({ file: new Uint8Array(content).buffer, compressors });
  }

  close(): void {
    this.#zip.close();
  }
}

async function read(zip: ZipFile, entry: Entry): Promise<Buffer> {
  if (entry.uncompressedSize > maxFileBytes)
    throw new NotAnExport(`${entry.fileName} is larger than any file of an export.`);
  const parts: Buffer[] = [];
  for await (const part of await zip.openReadStreamPromise(entry)) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function parseManifest(text: string): Manifest {
  const manifest = parseObject(text);
  if (manifest.format !== 'husky-holdem-export') {
    const reason = 'manifest.json is not that of an export.';
    throw Array.isArray(manifest.matches) ? new BatchDownload(reason) : new NotAnExport(reason);
  }
  const version = manifest.format_version;
  if (version !== 1 && version !== 2) {
    throw new NotAnExport(`The format has version ${String(version)}; this program reads versions 1 and 2.`);
  }
  const { files } = manifest;
  const hasFiles = Array.isArray(files) && files.every((file) => typeof (file as Row)?.path === 'string');
  if (!hasFiles) throw new NotAnExport('manifest.json lists no files.');
  return manifest as unknown as Manifest;
}

function parseObject(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Row) : {};
  } catch {
    throw new NotAnExport('manifest.json is not JSON.');
  }
}

export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
