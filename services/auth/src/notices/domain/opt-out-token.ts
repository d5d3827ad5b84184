import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, uuidFromHex } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { type NoticeKind, noticeKinds } from './notice.ts';

/** The user and the kind of notice that an opt-out link switches off. Links do not expire, since mails are kept for long. */
export interface OptOutClaim {
  readonly userId: string;
  readonly kind: NoticeKind;
}

const macBytes = 16;

/** Returns the token of an opt-out link: user id, kind and a 16-byte HMAC over both, 33 bytes in base64url. */
export function optOutToken(secret: Uint8Array, claim: OptOutClaim): string {
  const body = Buffer.concat([
    Buffer.from(claim.userId.replaceAll('-', ''), 'hex'),
    Buffer.of(noticeKinds.indexOf(claim.kind)),
  ]);
  return Buffer.concat([body, mac(secret, body)]).toString('base64url');
}

/** Returns the claim of a token; throws NOT_FOUND when its MAC is wrong. */
export function readOptOutToken(secret: Uint8Array, token: string): OptOutClaim {
  const bytes = Buffer.from(token, 'base64url');
  const body = bytes.subarray(0, 17);
  const kind = noticeKinds[body[16] ?? 255];
  const given = bytes.subarray(17);
  const userId = uuidFromHex(body.toString('hex', 0, 16));
  const genuine = given.length === macBytes && timingSafeEqual(given, mac(secret, body));
  if (!genuine || kind === undefined || !isUuid(userId)) {
    throw new DomainError('NOT_FOUND', 'link-unknown', 'This opt-out link is not valid');
  }
  return { userId, kind };
}

function mac(secret: Uint8Array, body: Buffer): Buffer {
  return createHmac('sha256', secret).update('husky notice opt-out 1\n').update(body).digest().subarray(0, macBytes);
}
