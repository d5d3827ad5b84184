import { sha256Hex } from '@husky/match/commitment';
import { checkSignature, type FileSignature, signatureOf, withoutSignature } from '@husky/match/file-signature';
import { type NotCovered, unknownFields } from '@husky/match/not-covered';
import { PlannedMatches, type PlannedPlace } from '@husky/match/plan-names';
import { firstDifference, shown } from '@husky/match/play-difference';
import { NoteError, type NoteKey } from '@husky/match/signed-note';
import { VerificationFailure } from '@husky/match/verify-match';
import { type ArchivedFile, openArchive } from '../match-archive.ts';
import { KitError } from '../wire.ts';
import { verifyFile } from './verify.ts';

export interface VerifiedBatch {
  readonly matches: number;
  readonly hands: number;
  readonly actions: number;
  /** Matches that were skipped, because their seeds are not published yet. */
  readonly unpublished: number;
  /** How many of the planned matches are verified; null without a plan. */
  readonly planned: string | null;
  readonly not_covered: readonly NotCovered[];
  /** Of manifest.json; match files that are signed have the same state, or are refused. */
  readonly signature: FileSignature;
}

const statements: NotCovered = {
  what: 'source, date, license, planned and deleted matches of the archive',
  fields: ['source', 'made_at', 'license', 'total_jobs', 'counts'],
  why: 'the site states them; the plan and the chain have planned and deleted matches',
};

/** Verifies all match files of a zip archive, its manifest, and their signatures. Throws KitError at the first difference. */
export async function verifyBatch(path: string, keys: readonly NoteKey[] = []): Promise<VerifiedBatch> {
  const sums = { matches: 0, hands: 0, actions: 0, unpublished: 0 };
  const found: NotCovered[] = [statements];
  const unknown = new Set<string>();
  const files: ArchivedFile[] = [];
  const planned = new PlannedMatches();
  const archive = await openArchive(path);
  let signature: FileSignature;
  try {
    for await (const { fileName, file } of archive.matches()) {
      const { job_id, game_number, hands, digest, batch_id, batch_number, seed } = file.manifest;
      files.push({ file: fileName, job_id, game_number, hands, digest });
      compare(
        path,
        unknown,
        { batch_id: archive.manifest.batch_id, batch_number: archive.manifest.batch_number },
        { batch_id, batch_number },
      );
      if (seed === null) {
        sums.unpublished += 1;
        // The archive's next file can be read only after this one has been read to its end.
        for await (const _ of file.format === 'jsonl' ? file.hands() : file.textHands());
        continue;
      }
      const verified = await verifyFile(file, keys);
      if (verified.plan) addTo(path, planned, verified.plan);
      sums.matches += 1;
      sums.hands += verified.hands;
      sums.actions += verified.actions;
      for (const one of verified.not_covered) if (!found.some(({ what }) => what === one.what)) found.push(one);
    }
    signature = checkManifest(path, archive.manifestText, keys);
    const { batch_id, batch_number } = archive.manifest;
    const expected = {
      format: archive.format,
      batch_id,
      batch_number,
      finished_jobs: files.length,
      complete: true,
      matches: files,
    };
    const free = new Set([...statements.fields, 'signature']);
    compare(
      path,
      unknown,
      expected,
      Object.fromEntries(Object.entries(archive.manifest).filter(([key]) => !free.has(key))),
    );
  } finally {
    archive.close();
  }
  if (unknown.size > 0) found.push(unknownFields(unknown));
  return { ...sums, planned: planned.sentence, not_covered: found, signature };
}

function addTo(path: string, planned: PlannedMatches, place: PlannedPlace): void {
  try {
    planned.add(place);
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new KitError(1, `${path} is not verified. ${error.message}`);
  }
}

function compare(path: string, unknown: Set<string>, expected: object, found: object): void {
  const difference = firstDifference(expected, found, { unknown });
  if (difference === null) return;
  const { path: field, expected: right, found: wrong } = difference;
  throw new KitError(
    1,
    `${path} is not verified. manifest.json: ${field}: expected ${shown(right)}, found ${shown(wrong)}.`,
  );
}

/** Checks the signature of manifest.json. Throws KitError for a wrong one. */
function checkManifest(path: string, manifest: string, keys: readonly NoteKey[]): FileSignature {
  try {
    const hash = sha256Hex(withoutSignature(manifest));
    return checkSignature({ signature: signatureOf(manifest), kind: 'batch', hash }, keys);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new KitError(1, `${path} is not verified. manifest.json: signature: ${error.message}.`);
  }
}
