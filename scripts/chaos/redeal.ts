import type { PublishedRecord } from '@husky/match/verify-match';
import { createVerification } from '../../web/src/features/games/verify-file.ts';
import type { Body, Caller } from './caller.ts';

/** Thrown when the platform does not answer: nothing is known about the match. */
export class NotAnswered extends Error {}

/**
 * Downloads a finished match as a visitor does and deals every hand again from the published seed. Returns the sentence of the
 * first difference; undefined if the match is whole. Throws NotAnswered.
 */
export async function redeal(admin: Caller, jobId: string): Promise<string | undefined> {
  const read = async (path: string) => {
    const { status, body } = await admin.send('GET', path);
    if (status !== 200) throw new NotAnswered(`${path} returned ${status}: ${String(body?.detail ?? '')}`);
    return body;
  };
  const seed = await read(`/live/job/${jobId}/seed`);
  const { public_input: publicInput, record } = await read(`/live/job/${jobId}/commitment`);
  const { commitments } = await read(`/live/commitments?after=${Math.max(0, record.number - 2)}&limit=3`);
  const verify = createVerification();
  const proof = { jobId, commitment: seed.commitment, publicInput, seed: seed.seed, record: publishedRecord(record) };
  const started = verify({ ...proof, links: commitments.map(publishedRecord) });
  if (started.state === 'failed') return started.reason;
  const bytes = await download(admin, `/live/job/${jobId}/download?format=jsonl`);
  const downloaded = verify(bytes);
  if (downloaded.state === 'failed') return downloaded.reason;
  const ended = verify(null);
  return ended.state === 'failed' ? ended.reason : undefined;
}

async function download(admin: Caller, path: string): Promise<Uint8Array> {
  try {
    const response = await fetch(`${admin.origin}${path}`, {
      headers: admin.headers,
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new NotAnswered(`${path} returned ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw error instanceof NotAnswered ? error : new NotAnswered(`${path}: ${String(error)}`);
  }
}

/** Reads a record of the chain as the gateway presents it. */
function publishedRecord({ job_hash: jobHash, number, commitment, time, previous, hash }: Body): PublishedRecord {
  return { jobHash, number, commitment, time, previous, hash };
}
