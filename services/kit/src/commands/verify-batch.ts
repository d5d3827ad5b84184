import { matchesOf } from '../match-archive.ts';
import { verifyFile } from './verify.ts';

export interface VerifiedBatch {
  readonly matches: number;
  readonly hands: number;
  readonly actions: number;
  /** Matches that were skipped, because their seeds are not published yet. */
  readonly unpublished: number;
}

/** Verifies all match files of a zip archive. Throws KitError at the first difference. */
export async function verifyBatch(path: string): Promise<VerifiedBatch> {
  const sums = { matches: 0, hands: 0, actions: 0, unpublished: 0 };
  for await (const file of matchesOf(path)) {
    if (file.manifest.seed === null) {
      sums.unpublished += 1;
      // The archive's next file can be read only after this one has been read to its end.
      for await (const _ of file.hands());
      continue;
    }
    const { hands, actions } = await verifyFile(file);
    sums.matches += 1;
    sums.hands += hands;
    sums.actions += actions;
  }
  return sums;
}
