import { checkSignature, type FileSignature } from '@husky/match/file-signature';
import type { NotCovered } from '@husky/match/not-covered';
import type { PlannedPlace } from '@husky/match/plan-names';
import { NoteError, type NoteKey, parseKey } from '@husky/match/signed-note';
import { MatchFileVerifier } from '@husky/match/verify-file';
import { VerificationFailure } from '@husky/match/verify-match';
import type { Command } from '../command.ts';
import { type MatchFile, openAnyMatchFile, proofOf, readable } from '../match-file.ts';
import { KitError } from '../wire.ts';

export interface VerifiedMatch {
  readonly job_id: string;
  readonly hands: number;
  readonly actions: number;
  readonly commitment: string;
  /** Number of the match's record in the site's chain; null without one. */
  readonly record: number | null;
  /** Its place in its plan; null without one. */
  readonly plan: PlannedPlace | null;
  /** What the file says and nobody can compute. */
  readonly not_covered: readonly NotCovered[];
  readonly signature: FileSignature;
}

/**
 * Verifies a match file of any format: the seed against the commitment, every value against seed, commitment and rules. Throws KitError
 * with code 1 at the first difference, with code 2 for a file that cannot be read. `keys`: those that may have signed it.
 */
export async function verify(path: string, keys: readonly NoteKey[] = []): Promise<VerifiedMatch> {
  return verifyFile(await openAnyMatchFile(path), keys);
}

/** The command `verify` with `{path, keys}`. */
export const verifyCommand: Command = ({ path, keys }) => verify(String(path), keysOf(keys));

/** Reads the keys of a request. Throws KitError. */
export function keysOf(keys: unknown): NoteKey[] {
  try {
    return ((keys ?? []) as readonly string[]).map((key) => parseKey(key));
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new KitError(2, `${error.message}: a key is NAME+ID+KEY, as the fairness page of the site shows it.`);
  }
}

/** Verifies an open match file. Throws KitError as `verify` does. */
export async function verifyFile(file: MatchFile, keys: readonly NoteKey[]): Promise<VerifiedMatch> {
  try {
    const proof = proofOf(file);
    const verifier = new MatchFileVerifier(proof, file.manifest);
    if (file.format === 'jsonl') {
      for await (const { game, number } of file.hands())
        readable(file, number, () => verifier.verifyGame(game, number));
    } else {
      for await (const { number, lines, rows } of file.textHands()) {
        if (file.format === 'phh') verifier.verifyPhh(lines, number);
        else verifier.verifyCsv(rows, number);
      }
    }
    const { hands, actions, recordNumber, notCovered, place } = verifier.finish(file.end);
    const { jobId: job_id, commitment } = proof;
    const signature = signatureOf(file, keys);
    return {
      job_id,
      hands,
      actions,
      commitment,
      record: recordNumber,
      plan: place,
      not_covered: notCovered,
      signature,
    };
  } catch (error) {
    if (!(error instanceof VerificationFailure || error instanceof NoteError)) throw error;
    const message = error instanceof NoteError ? `signature: ${error.message}.` : error.message;
    throw new KitError(1, `${file.name} is not verified. ${message}`);
  } finally {
    await file.close();
  }
}

/** Checks the signature of a file that was read to its end. Throws NoteError. */
function signatureOf({ signed }: MatchFile, keys: readonly NoteKey[]): FileSignature {
  return checkSignature({ signature: signed.signature, kind: 'match', hash: signed.digest() }, keys);
}
