import { Readable } from 'node:stream';
import type { Batch__Output } from '@husky/contracts/types/simulation/v1/Batch';
import { licenseOf } from '@husky/runtime/process/data-license';
import { isAdmin } from '@husky/runtime/rpc/access';
import { ZipFile } from 'yazl';
import { HttpError } from '../../http/errors.ts';
import { countMatches, presentCounts } from '../../match-counts.ts';
import { signEnd } from '../../signatures.ts';
import { type Download, matchFile, openMatch } from './match-file.ts';

interface ListedMatch {
  readonly jobId: string;
  readonly gameNumber: number;
  readonly startedAt: Date;
}

const pageSize = 1000;

/** Lists the finished matches of a batch that the caller may read, by number. Throws 409 if there is none. */
export async function listFinishedMatches(batchId: string, { context, caller }: Download): Promise<ListedMatch[]> {
  const found = new Map<string, ListedMatch>();
  const request = { batchId, status: 'Finished', publicOnly: !isAdmin(caller), order: 'oldest', pageSize };
  for (let page = 1; ; page++) {
    const { matches, total } = await context.liveData.listMatches({ ...request, page }, { caller });
    for (const { jobId, gameNumber, firstGameCreatedAt } of matches) {
      found.set(jobId, { jobId, gameNumber, startedAt: new Date(firstGameCreatedAt) });
    }
    if (page * pageSize >= total || matches.length === 0) break;
  }
  if (found.size === 0) {
    throw new HttpError(409, 'batch-not-finished', 'No match of this batch is finished yet. Please try again later.');
  }
  return [...found.values()].sort((a, b) => a.gameNumber - b.gameNumber);
}

/**
 * Yields a zip archive: a file for each match, one after the other, then manifest.json. A zip without its end cannot be opened, so an
 * interrupted download does not look complete.
 */
export async function* batchArchive(
  batch: Batch__Output,
  format: string,
  matches: readonly ListedMatch[],
  download: Download,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => output.destroy(error as Error);
  const files: object[] = [];
  const width = String(batch.totalJobs).length;
  let current: Readable | undefined;
  const add = (name: string, mtime: Date, content: () => Promise<AsyncIterable<string>>) =>
    zip.addReadStreamLazy(name, { mtime }, (ready) => {
      content().then((chunks) => {
        current = Readable.from(chunks, { objectMode: false }).once('error', fail);
        ready(null, current);
      }, fail);
    });
  for (const { jobId, gameNumber, startedAt } of matches) {
    const file = `game-${String(gameNumber).padStart(width, '0')}-${jobId}.${download.writer.extension}`;
    add(file, startedAt, async () => {
      const opened = await openMatch(jobId, download);
      files.push({
        file,
        job_id: jobId,
        game_number: gameNumber,
        hands: opened.match.hands,
        digest: opened.match.digest,
      });
      return matchFile(opened, download);
    });
  }
  const madeAt = new Date();
  add('manifest.json', madeAt, async () => {
    const counts = await countMatches(download.context, batch.id);
    const manifest = {
      batch_id: batch.id,
      batch_number: batch.batchNumber,
      source: new URL(`/batches/${batch.batchNumber}`, download.publicUrl).href,
      format,
      made_at: madeAt.toISOString(),
      total_jobs: batch.totalJobs,
      finished_jobs: files.length,
      counts: presentCounts(counts, files.length, { withNoContest: true }),
      complete: true,
      license: licenseOf(download.license),
      matches: files,
    };
    return Readable.from([await signEnd(download.context, 'batch', `${JSON.stringify(manifest, null, 1)}\n`)]);
  });
  zip.end();
  zip.on('error', fail);
  download.signal.addEventListener('abort', () => fail(download.signal.reason), { once: true });
  try {
    for await (const chunk of output) yield chunk as Uint8Array;
  } finally {
    current?.destroy();
  }
}
