import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type MatchFile, readMatchFile } from './match-file.ts';
import { KitError } from './wire.ts';

/** What manifest.json says about a match file of the archive. */
export interface ArchivedFile {
  readonly file: string;
  readonly job_id: unknown;
  readonly game_number: unknown;
  readonly hands: unknown;
  readonly digest: unknown;
}

/** manifest.json of a batch's archive. */
export type ArchiveManifest = Readonly<Record<string, unknown>>;

export interface MatchArchive {
  readonly manifest: ArchiveManifest;
  /** The bytes of manifest.json. */
  readonly manifestText: string;
  /** Of its match files. */
  readonly format: MatchFile['format'];
  /** Yields the match files; each must be read to its end before the next. Throws KitError. */
  matches(): AsyncGenerator<{ readonly fileName: string; readonly file: MatchFile }>;
  close(): void;
}

const extensions = { '.jsonl': 'jsonl', '.phhs': 'phh', '.csv': 'csv' } as const;
const extensionOf = (name: string) => /[.]\w+$/.exec(name)?.[0] as keyof typeof extensions;

/** Opens a batch's zip archive. Throws KitError for another archive. */
export async function openArchive(path: string): Promise<MatchArchive> {
  const zip = await openZip(path);
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    if (entries.some(({ fileName }) => fileName.endsWith('.parquet'))) {
      throw new KitError(
        2,
        `${path} is an export of the site's data. \`make verify EXPORT=…\` of the source verifies it.`,
      );
    }
    const matches = entries.filter(({ fileName }) => Object.hasOwn(extensions, extensionOf(fileName)));
    const [first] = matches;
    if (first === undefined) throw new KitError(2, `${path} has no match files (.jsonl, .phhs or .csv).`);
    const listed = entries.find(({ fileName }) => fileName === 'manifest.json');
    if (listed === undefined)
      throw new KitError(2, `${path} has no manifest.json: it is not complete. Download it again.`);
    const others = entries.filter((entry) => entry !== listed && !matches.includes(entry));
    if (others[0] !== undefined)
      throw new KitError(1, `${path} is not verified. ${others[0].fileName} is not a match file.`);
    const manifestText = await text((await zip.openReadStreamPromise(listed)) as Readable);
    return {
      manifest: manifestOf(path, manifestText),
      manifestText,
      format: extensions[extensionOf(first.fileName)],
      async *matches() {
        for (const entry of matches) {
          const stream = await damaged(path, async () => (await zip.openReadStreamPromise(entry)) as Readable);
          yield { fileName: entry.fileName, file: await readMatchFile(`${entry.fileName} in ${path}`, stream) };
        }
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    return damaged(path, () => Promise.reject(error));
  }
}

function manifestOf(path: string, content: string): ArchiveManifest {
  try {
    const found: unknown = JSON.parse(content);
    if (typeof found === 'object' && found !== null) return found as ArchiveManifest;
  } catch {
    // Text that is not JSON is refused below, as other values are.
  }
  throw new KitError(2, `manifest.json in ${path} is not a JSON object.`);
}

async function damaged<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KitError) throw error;
    throw new KitError(2, `${path} is damaged: ${(error as Error).message}.`);
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw new KitError(2, `${path} is not a complete zip archive: ${(error as Error).message.replace(/[.]$/, '')}.`);
  }
}
