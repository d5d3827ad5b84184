import { createHash } from 'node:crypto';
import type { PackedChunk } from './record.ts';

/** The first bytes of an object, with the version of its format. */
const magic = Buffer.from('HUSKY-HANDS-1\n');

interface Header {
  readonly jobId: string;
  readonly attempt: number;
  readonly chunks: readonly { readonly firstHand: number; readonly hands: number; readonly bytes: number }[];
}

/** The chunks of a whole attempt, in the order of their hands. */
export interface ArchivedAttempt {
  readonly jobId: string;
  readonly attempt: number;
  readonly chunks: readonly PackedChunk[];
}

/**
 * Packs the chunks of an attempt, unchanged, behind a line of JSON that describes them; deterministic. Throws RangeError if hands are
 * missing between them.
 */
export function packObject({ jobId, attempt, chunks }: ArchivedAttempt): Buffer {
  let next = 1;
  for (const { firstHand, hands } of chunks) {
    if (firstHand !== next) throw new RangeError(`hand ${next} of match ${jobId} is missing`);
    next += hands;
  }
  const sizes = chunks.map(({ firstHand, hands, bytes }) => ({ firstHand, hands, bytes: bytes.length }));
  const header: Header = { jobId, attempt, chunks: sizes };
  return Buffer.concat([magic, Buffer.from(`${JSON.stringify(header)}\n`), ...chunks.map(({ bytes }) => bytes)]);
}

/** Reads an object whose hash was compared. The chunks share its memory. Throws RangeError for another format. */
export function unpackObject(object: Buffer): ArchivedAttempt {
  const end = object.indexOf('\n', magic.length);
  if (!object.subarray(0, magic.length).equals(magic) || end < 0)
    throw new RangeError('the object has an unknown format');
  const { jobId, attempt, chunks } = JSON.parse(object.toString('utf8', magic.length, end)) as Header;
  let start = end + 1;
  return {
    jobId,
    attempt,
    chunks: chunks.map(({ firstHand, hands, bytes }) => {
      const chunk = { firstHand, hands, bytes: object.subarray(start, start + bytes) };
      start += bytes;
      return chunk;
    }),
  };
}

export const sha256Of = (object: Uint8Array): Buffer => createHash('sha256').update(object).digest();
