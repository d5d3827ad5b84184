import { PlayDigest } from '@husky/match/play-digest';
import { MatchVerifier, VerificationFailure } from '@husky/match/verify-match';
import type { Command } from '../command.ts';
import { type MatchFile, openMatchFile, proofOf, publishedHand } from '../match-file.ts';
import { KitError } from '../wire.ts';

export interface VerifiedMatch {
  readonly job_id: string;
  readonly hands: number;
  readonly actions: number;
  readonly commitment: string;
  /** Number of the match's record in the site's chain; null without one. */
  readonly record: number | null;
}

/**
 * Verifies a match file: the seed against the commitment, every hand against seed and rules. Throws KitError with code 1 at the first
 * difference, with code 2 for a file that cannot be read.
 */
export async function verify(path: string): Promise<VerifiedMatch> {
  return verifyFile(await openMatchFile(path));
}

/** The command `verify` with `{path}`. */
export const verifyCommand: Command = ({ path }) => verify(String(path));

/** Verifies an open match file. Throws KitError as `verify` does. */
export async function verifyFile(file: MatchFile): Promise<VerifiedMatch> {
  const proof = proofOf(file);
  try {
    const verifier = new MatchVerifier(proof);
    checkPlayers(file, proof.publicInput);
    const digest = new PlayDigest();
    for await (const hand of file.hands()) {
      verifier.verifyHand(publishedHand(file, hand));
      digest.add(hand.game, hand.number);
    }
    if (file.playDigest !== null && file.playDigest !== digest.hex) {
      throw new VerificationFailure(null, `The digest of its play is ${digest.hex}, not ${file.playDigest}.`);
    }
    const { hands, actions, recordNumber } = verifier.finish();
    return { job_id: proof.jobId, hands, actions, commitment: proof.commitment, record: recordNumber };
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new KitError(1, `${file.name} is not verified. ${error.message}`);
  }
}

/** Throws VerificationFailure unless the bots in the manifest are the committed ones. */
function checkPlayers({ manifest }: MatchFile, publicInput: string): void {
  const { roster } = JSON.parse(publicInput) as { roster: readonly { botHash: string; packagesHash: string }[] };
  const players = manifest.players as readonly { bot_hash?: string | null; packages_hash?: string | null }[];
  if (players.length !== roster.length) {
    throw new VerificationFailure(null, `It names ${players.length} players; ${roster.length} were committed to.`);
  }
  for (const [seat, { botHash, packagesHash }] of roster.entries()) {
    const { bot_hash: bot, packages_hash: packages } = players[seat] ?? {};
    if ((bot ?? '') !== botHash || (packages ?? '') !== packagesHash) {
      throw new VerificationFailure(null, `The bot of seat ${seat + 1} is not the one that was committed to.`);
    }
  }
}
