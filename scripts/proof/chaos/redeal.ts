import { publishedRecord, publishedSeedProof } from '@husky/match/commitment';
import { createVerification } from '../../../web/src/features/games/verify-file.ts';
import type { Caller } from './caller.ts';

/** Thrown if the platform is unavailable, so that the match could not be read. */
export class Unavailable extends Error {}

/**
 * Downloads a finished match and re-deals every hand from the published seed. Returns the first difference; undefined if there is none.
 * Throws Unavailable.
 */
export async function redeal(admin: Caller, jobId: string): Promise<string | undefined> {
  const read = async (path: string) => {
    const { status, body } = await admin.send('GET', path);
    if (status !== 200) throw new Unavailable(`${path} returned ${status}: ${String(body?.detail ?? '')}`);
    return body;
  };
  const seed = await read(`/live/job/${jobId}/seed`);
  const { public_input: publicInput, record } = await read(`/live/job/${jobId}/commitment`);
  const { commitments } = await read(`/live/commitments?after=${Math.max(0, record.number - 2)}&limit=3`);
  const { keys } = await read('/live/signed-head');
  const verify = createVerification();
  const { commitment, seed_proof: place } = seed;
  const seedProof = place && publishedSeedProof(place);
  const proof = { jobId, commitment, publicInput, seed: seed.seed, record: publishedRecord(record), seedProof };
  const links = commitments.map(publishedRecord);
  const started = verify({ ...proof, links, keys: keys.map((one: { key: string }) => one.key) });
  if (started.state === 'failed') return started.reason;
  const path = `/live/job/${jobId}/download?format=jsonl`;
  const { status, bytes } = await admin.download(path);
  if (status !== 200) throw new Unavailable(`${path} returned ${status}`);
  const downloaded = verify(bytes);
  if (downloaded.state === 'failed') return downloaded.reason;
  const ended = verify(null);
  return ended.state === 'failed' ? ended.reason : undefined;
}
