import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { faultNamed } from '@husky/match/fault';

const maxFailedCalls = 50;
const maxNotes = 60;
const maxNoteLength = 400;
// Maximum of PostgreSQL's integer.
const maxInt = 2 ** 31 - 1;

/** Limits every field of a dealer's details, which contain texts of bots and may come from a faulty dealer. */
export function limitDetails(details: SeatDetails__Output): SeatDetails__Output {
  const { times } = details;
  return {
    outKind: faultNamed(details.outKind) ?? '',
    outText: botText(details.outText),
    failedCalls: details.failedCalls.slice(0, maxFailedCalls).map(({ method, text, count, firstHand }) => ({
      method: botText(method, 40),
      text: botText(text),
      count: clampInt(count),
      firstHand: clampInt(firstHand),
    })),
    times: times && {
      count: clampInt(times.count),
      p50Ms: clampDuration(times.p50Ms),
      p95Ms: clampDuration(times.p95Ms),
      maxMs: clampDuration(times.maxMs),
      counts: Array.from({ length: DECISION_BOUNDS_MS.length + 1 }, (_, bucket) => clampInt(times.counts[bucket] ?? 0)),
    },
    bankMs: clampInt(details.bankMs),
    bankUsedMs: clampInt(details.bankUsedMs),
    notes: details.notes.slice(0, maxNotes).map((note) => botText(note, maxNoteLength)),
  };
}

const clampInt = (value: number) => Math.min(maxInt, Math.max(0, Math.round(value)));
const clampDuration = (value: number) => (Number.isFinite(value) ? Math.max(0, value) : 0);

/** Maximum size of a stored seat log before compression, in bytes. */
export const seatLogBytes = 64 * 1024;

/** Compresses a log. Cuts the middle out of a log over the limit, since its first and last lines matter most. */
export function packLog(log: string): Buffer {
  const bytes = Buffer.from(log);
  if (bytes.length <= seatLogBytes) return zstdCompressSync(bytes);
  const notice = Buffer.from('\n[… cut …]\n');
  const half = (seatLogBytes - notice.length) >> 1;
  return zstdCompressSync(Buffer.concat([bytes.subarray(0, half), notice, bytes.subarray(bytes.length - half)]));
}

export function unpackLog(packed: Uint8Array): string {
  return zstdDecompressSync(packed).toString('utf8');
}

const maxTextLength = 300;

/** Cleans a bot's text for storage and display: one line, at most `maxLength` characters, no control characters or lone surrogates. */
export function botText(text: string, maxLength = maxTextLength): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}
