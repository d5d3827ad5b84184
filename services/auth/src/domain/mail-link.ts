import { createHash, randomBytes } from 'node:crypto';

/** A link's token: what goes into the mail, and the hash that is stored of it. */
export interface LinkToken {
  readonly token: string;
  readonly tokenHash: Uint8Array<ArrayBuffer>;
}

export function newLinkToken(): LinkToken {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: linkTokenHash(token) };
}

export function linkTokenHash(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

export const verificationHours = 24;
/** Between two verification mails to one account. */
export const resendMs = 60_000;
