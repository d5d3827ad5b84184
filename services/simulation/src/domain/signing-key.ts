import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { keyChangeText, type NoteSigner, noteKey, signNote } from '@husky/match/signed-note';

/** A key that signs, as it is stored. `privateKey`: PKCS #8 in DER. */
export interface SigningKey {
  /** Of the platform, in all of its keys. */
  readonly name: string;
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

/** Returns a new key of the platform with this name, or of a new platform. */
export function makeKey(name = `husky-holdem/${randomBytes(8).toString('hex')}`): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    name,
    publicKey: Buffer.from(x, 'base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

export function signerOf({ name, publicKey, privateKey }: SigningKey): NoteSigner {
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' });
  return { key: noteKey(name, publicKey), sign: (text) => sign(null, text, key) };
}

/** Returns the note by which a key names the one that replaces it. Both sign it. */
export function keyChange(before: SigningKey, next: SigningKey, now: number): string {
  const text = keyChangeText(before.name, noteKey(next.name, next.publicKey), new Date(now).toISOString());
  return signNote(text, [signerOf(before), signerOf(next)]);
}
