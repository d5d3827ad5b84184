import { createHash, hash } from 'node:crypto';
import type { HandRecord } from './record.ts';

/**
 * Returns a hand's canonical form: JSON without spaces of [hand, startedAtMs, [[street, seat, kind, amount, adjusted 0|1, ms, fault or
 * null, detail or null], ...], [deltas by seat]].
 */
export function canonicalHand(hand: number, record: HandRecord): string {
  let actions = '';
  for (const { street, seat, kind, amount, adjusted, ms, fault, detail } of record.actions) {
    const played = fault === undefined && detail === undefined;
    const notes = played ? 'null,null' : `${JSON.stringify(fault ?? null)},${JSON.stringify(detail ?? null)}`;
    actions += `${actions === '' ? '' : ','}[${street},${seat},${kind},${amount},${adjusted ? 1 : 0},${ms},${notes}]`;
  }
  return `[${hand},${record.startedAtMs},[${actions}],[${record.deltas.join(',')}]]`;
}

/** Returns the start of a match's digest chain, d0 = SHA-256 of '<match id>:<attempt>'. */
export function digestStart(matchId: string, attempt: number): Buffer {
  return createHash('sha256').update(`${matchId}:${attempt}`).digest();
}

/** Returns the next digest of the chain, d(k) = SHA-256(d(k-1) || canonical form of hand k). */
export function digestNext(previous: Uint8Array, hand: number, record: HandRecord): Buffer {
  const text = canonicalHand(hand, record);
  // A UTF-16 code unit has at most three bytes in UTF-8. One call of `hash` takes half the time of a Hash object for each hand.
  const bytes = Buffer.allocUnsafe(previous.length + 3 * text.length);
  bytes.set(previous);
  const length = previous.length + bytes.write(text, previous.length);
  return hash('sha256', bytes.subarray(0, length), 'buffer');
}
