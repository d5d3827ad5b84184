import { readFile } from 'node:fs/promises';
import { NoteError, openHead } from '@husky/match/signed-note';
import { VerificationFailure } from '@husky/match/verify-match';
import type { Command } from '../command.ts';
import { namesOf, type Proof, proofFormat, shownBy } from '../site-memory.ts';
import { KitError } from '../wire.ts';

/** The command `verify-proof` with `{path}`: says what a proof against a site shows, and by which keys it is signed. Throws KitError. */
export const verifyProof: Command = async ({ path }) => {
  const proof = parse(String(path), await readFile(String(path), 'utf8'));
  const keys = namesOf(proof.keys);
  const not = (why: string) => new KitError(1, `${String(path)} proves nothing. ${why}`);
  try {
    const shown = shownBy(proof);
    if (shown === null) throw not('Its signed heads do not contradict each other.');
    const signed = [proof.signed_before, proof.signed_now ?? ''].map((note) => openHead(note, keys).key.text);
    return { shown, keys: [...new Set(signed)] };
  } catch (error) {
    if (error instanceof NoteError) throw not(`A head: ${error.message}.`);
    if (error instanceof VerificationFailure) throw not(error.message);
    throw error;
  }
};

function parse(path: string, text: string): Proof {
  try {
    const proof = JSON.parse(text) as Proof;
    if (proof.format === proofFormat) return proof;
  } catch {
    // Text that is not JSON is refused below, as other files are.
  }
  throw new KitError(2, `${path} is no proof that husky verify has written.`);
}
