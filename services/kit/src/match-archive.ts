import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type MatchFile, readMatchFile } from './match-file.ts';
import { KitError } from './wire.ts';

/** Yields the match files of a batch's zip archive; each must be read to its end before the next. Throws KitError for another archive. */
export async function* matchesOf(path: string): AsyncGenerator<MatchFile> {
  const zip = await openZip(path);
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const names = entries.map(({ fileName }) => fileName);
    if (names.some((name) => name.endsWith('.parquet'))) {
      throw new KitError(
        2,
        `${path} is an export of the site's data. \`make verify EXPORT=…\` of the source verifies it.`,
      );
    }
    const matches = entries.filter(({ fileName }) => fileName.endsWith('.jsonl'));
    if (matches.length === 0) {
      throw new KitError(2, `${path} has no match files (.jsonl). Download the batch as JSON lines.`);
    }
    for (const entry of matches) {
      const stream = (await zip.openReadStreamPromise(entry)) as Readable;
      yield await readMatchFile(`${entry.fileName} in ${path}`, stream);
    }
  } catch (error) {
    if (error instanceof KitError) throw error;
    throw new KitError(2, `${path} is damaged: ${(error as Error).message}.`);
  } finally {
    zip.close();
  }
}

async function openZip(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw new KitError(2, `${path} is not a complete zip archive: ${(error as Error).message.replace(/[.]$/, '')}.`);
  }
}
