import type { NotCovered } from '@husky/match/not-covered';
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
  /** What the file says and nobody can compute. */
  readonly not_covered: readonly NotCovered[];
}

/**
 * Verifies a match file of any format: the seed against the commitment, every value against seed, commitment and rules. Throws KitError
 * with code 1 at the first difference, with code 2 for a file that cannot be read.
 */
export async function verify(path: string): Promise<VerifiedMatch> {
  return verifyFile(await openAnyMatchFile(path));
}

/** The command `verify` with `{path}`. */
export const verifyCommand: Command = ({ path }) => verify(String(path));

/** Verifies an open match file. Throws KitError as `verify` does. */
export async function verifyFile(file: MatchFile): Promise<VerifiedMatch> {
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
    const { hands, actions, recordNumber, notCovered } = verifier.finish(file.end);
    const { jobId: job_id, commitment } = proof;
    return { job_id, hands, actions, commitment, record: recordNumber, not_covered: notCovered };
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new KitError(1, `${file.name} is not verified. ${error.message}`);
  } finally {
    await file.close();
  }
}
