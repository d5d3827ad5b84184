/** Number of random bytes of a job id. */
export const JOB_ID_BYTES = 10;
const MAX_ATTEMPT = 0xffff;
const MAX_HAND = 0xffff_ffff;

const UUID_V8 = /^([0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3})-([0-9a-f]{4})([0-9a-f]{8})$/;

export interface GameAddress {
  readonly jobId: string;
  readonly attempt: number;
  /** From 1. */
  readonly hand: number;
}

/** Builds a job id from ten random bytes: a UUIDv8 (RFC 9562) with 74 random bits whose last 48 bits are zero. Throws RangeError. */
export function jobIdFrom(random: Uint8Array): string {
  if (random.length !== JOB_ID_BYTES) throw new RangeError(`a job id needs ${JOB_ID_BYTES} random bytes`);
  const bytes = Uint8Array.from(random);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), '0'.repeat(12)];
  return groups.join('-');
}

/** Returns whether a text is a job id in its canonical, lower-case form. */
export function isJobId(text: string): boolean {
  const match = UUID_V8.exec(text);
  return match !== null && match[2] === '0000' && match[3] === '00000000';
}

/** Builds the id of a hand: its job's id with attempt (16 bits) and hand (32 bits) in the last group. Throws RangeError. */
export function gameIdOf(jobId: string, attempt: number, hand: number): string {
  if (!isJobId(jobId)) throw new RangeError('that is no job id');
  if (!Number.isInteger(attempt) || attempt < 1 || attempt > MAX_ATTEMPT) throw new RangeError(`no attempt ${attempt}`);
  if (!Number.isInteger(hand) || hand < 1 || hand > MAX_HAND) throw new RangeError(`no hand ${hand}`);
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `${jobId.slice(0, 24)}${hex(attempt, 4)}${hex(hand, 8)}`;
}

/** Parses a game id, in upper or lower case. Returns null for anything else. */
export function parseGameId(text: string): GameAddress | null {
  const match = UUID_V8.exec(text.toLowerCase());
  if (match === null) return null;
  const attempt = Number.parseInt(match[2] as string, 16);
  const hand = Number.parseInt(match[3] as string, 16);
  if (attempt === 0 || hand === 0) return null;
  return { jobId: `${match[1]}-000000000000`, attempt, hand };
}
