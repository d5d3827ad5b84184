import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import type { SeatFaults } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { faultNamed } from '@husky/match/fault';
import type { SeatFindings } from './findings.ts';

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

/**
 * Returns the faults of one bot: failed decisions from the verified hands, the rest from the dealer's report. `details` is
 * null for dealers of earlier releases.
 */
export function seatFaults(userId: string, findings: SeatFindings, details: SeatDetails__Output | null): SeatFaults {
  const counts = new Map<string, number>();
  for (const { kind, count } of findings.faults.values()) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const outKind = faultNamed(details?.outKind ?? '') ?? '';
  const startups = counts.get('startup') ?? 0;
  return {
    userId,
    decisions: findings.decisions,
    counts: [...counts].map(([kind, count]) => ({ kind, count })),
    failedCalls: (details?.failedCalls ?? []).reduce((sum, { count }) => sum + count, 0),
    // Without details a bot that failed to start has a startup fault in every decision.
    neverStarted: details === null ? startups > 0 && startups === findings.decisions : outKind === 'startup',
    outKind,
    ...firstOf(findings, details),
  };
}

function firstOf(findings: SeatFindings, details: SeatDetails__Output | null) {
  const { first } = findings;
  const call = details?.failedCalls.toSorted((a, b) => a.firstHand - b.firstHand)[0];
  // A failed on_start of the same hand is the cause of what follows.
  const isEarlier = first === null || (call?.firstHand ?? 0) < first.hand + Number(call?.method === 'on_start');
  if (call !== undefined && isEarlier) {
    return {
      firstKind: 'callback',
      firstHand: call.firstHand,
      firstStep: 0,
      firstText: `${call.method}: ${call.text}`,
    };
  }
  if (first === null) {
    const outKind = details?.outKind ?? '';
    return { firstKind: outKind, firstHand: 0, firstStep: 0, firstText: details?.outText ?? '' };
  }
  // A seat that is out folds without a note; the reason is in the report.
  const text = first.text === '' && first.kind === details?.outKind ? details.outText : first.text;
  return { firstKind: first.kind, firstHand: first.hand, firstStep: first.step, firstText: botText(text) };
}
