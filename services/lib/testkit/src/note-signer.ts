import { type NoteSigner, noteKey } from '@husky/match/signed-note';
import { ed25519 } from '@noble/curves/ed25519.js';

/** Returns a new signer of notes. */
export function noteSigner(name = 'husky-holdem/test'): NoteSigner {
  const { secretKey, publicKey } = ed25519.keygen();
  return { key: noteKey(name, publicKey), sign: (text) => ed25519.sign(text, secretKey) };
}
