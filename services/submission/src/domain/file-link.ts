import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';

/** Lifetime of a link in seconds. */
export const fileLinkSeconds = 60;

/** Returns a token that opens one file until it expires: file id, expiry and HMAC-SHA256 over both. */
export function signFileLink(key: string, fileId: string, nowMs: number): string {
  const body = `${fileId}.${Math.floor(nowMs / 1000) + fileLinkSeconds}`;
  return `${Buffer.from(body).toString('base64url')}.${mac(key, body).toString('base64url')}`;
}

/** Returns the id of the file that a token opens. Throws PERMISSION_DENIED if the token is forged or has expired. */
export function openFileLink(key: string, token: string, nowMs: number): string {
  const [encoded = '', given = ''] = token.split('.');
  const body = Buffer.from(encoded, 'base64url').toString();
  const expected = mac(key, body);
  const signature = Buffer.from(given, 'base64url');
  const genuine = signature.length === expected.length && timingSafeEqual(signature, expected);
  const [fileId = '', until = ''] = body.split('.');
  if (!genuine) throw new DomainError('PERMISSION_DENIED', 'link-invalid', 'This link is not valid.');
  if (Number(until) * 1000 <= nowMs) {
    throw new DomainError('PERMISSION_DENIED', 'link-expired', 'This link has expired. Please open the file again.');
  }
  return fileId;
}

function mac(key: string, body: string): Buffer {
  return createHmac('sha256', key).update(`file-link:${body}`).digest();
}
