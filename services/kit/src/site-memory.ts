import { publishedRecord, type RestRecord } from '@husky/match/commitment';
import {
  followKeys,
  type Head,
  NoteError,
  type NoteKey,
  openHead,
  type PublishedKey,
  parseKey,
} from '@husky/match/signed-note';
import { checkLinks, VerificationFailure } from '@husky/match/verify-match';

/** What the kit keeps of a site. */
export interface SiteMemory {
  /** Keys that it trusts: the first ones that it saw, and those that they name. The last one signs. */
  readonly keys: readonly string[];
  /** Signed heads, by arrival: the newest that was compared with the chain, and those that came later. */
  readonly heads: readonly string[];
  /** The newest record up to which the chain was read. */
  readonly position: Head | null;
}

export const emptyMemory: SiteMemory = { keys: [], heads: [], position: null };

/** Two statements of a site that cannot both be true, with the records between them. */
export interface Proof {
  readonly format: typeof proofFormat;
  readonly keys: readonly string[];
  readonly signed_before: string;
  readonly signed_now: string | null;
  readonly records: readonly RestRecord[];
}
export const proofFormat = 'husky-holdem-proof';

/** A contradiction of the site to what the kit knows. The message is a sentence; `proof` is what others can check. */
export class Contradiction extends Error {
  override readonly name = 'Contradiction';
  readonly proof: Proof;
  constructor(message: string, proof: Proof) {
    super(message);
    this.proof = proof;
  }
}

export interface SentHead {
  readonly signed_head: string | null;
  readonly keys: readonly PublishedKey[];
}

export const namesOf = (keys: readonly string[]): NoteKey[] => keys.map(parseKey);

/** Returns what a proof shows, as a sentence; null: nothing. Throws NoteError for a signature that is not one of its keys. */
export function shownBy({ keys: texts, signed_before, signed_now, records }: Proof): string | null {
  const keys = namesOf(texts);
  const before = openHead(signed_before, keys);
  const now = signed_now === null ? null : openHead(signed_now, keys);
  if (now === null) return null;
  const said = `the head of record ${before.number} (${before.hash})`;
  if (before.number === now.number)
    return before.hash === now.hash ? null : `The site has signed ${said} and, for the same record, ${now.hash}.`;
  const [first] = records;
  const last = records.at(-1);
  if (first?.number !== before.number || last?.number !== now.number || last.hash !== now.hash) return null;
  checkLinks(records.map(publishedRecord));
  if (first.hash === before.hash) return null;
  return `The site has signed ${said}, and a head of record ${now.number} that follows from another record ${before.number} (${first.hash}).`;
}

/** Trusts the keys of a site that follow from those of the memory; at the first contact all. Throws Contradiction. */
export function trustKeys(memory: SiteMemory, { keys: published, signed_head }: SentHead): SiteMemory {
  const known = memory.keys.at(-1) ?? published[0]?.key;
  if (known === undefined) return memory;
  const keys = follow(parseKey(known), published);
  if (keys.length > 0) return { ...memory, keys: [...new Set([...memory.keys, ...keys.map(({ text }) => text)])] };
  const proof: Proof = {
    format: proofFormat,
    keys: memory.keys,
    signed_before: memory.heads[0] ?? '',
    signed_now: signed_head,
    records: [],
  };
  const now = published.at(-1)?.key ?? 'none';
  throw new Contradiction(
    `The site signs with the key ${now}. This kit knows ${known}, which has not named it: the key was exchanged, or another site answers.`,
    proof,
  );
}

function follow(known: NoteKey, published: readonly PublishedKey[]): NoteKey[] {
  try {
    return followKeys(known, published);
  } catch (error) {
    if (error instanceof NoteError) return [];
    throw error;
  }
}

/** Adds a signed head to the memory. Throws Contradiction, NoteError for a note that says nothing, UnknownKey. */
export function remember(memory: SiteMemory, note: string): SiteMemory {
  const keys = namesOf(memory.keys);
  const head = openHead(note, keys);
  for (const earlier of memory.heads) {
    const { number, hash } = openHead(earlier, keys);
    if (number !== head.number) continue;
    if (hash === head.hash) return memory;
    throw contradiction(memory, earlier, note, []);
  }
  const position = memory.position ?? { number: head.number, hash: head.hash };
  const heads = [...memory.heads, note];
  return { ...memory, heads: heads.length > maxHeads ? heads.toSpliced(1, 1) : heads, position };
}

const maxHeads = 1000;

/** Returns the contradiction between two heads. `fallback`: a sentence for one that the records do not prove. */
export function contradiction(
  { keys }: SiteMemory,
  before: string,
  now: string | null,
  records: readonly RestRecord[],
  fallback = 'The site contradicts a head that it has signed.',
): Contradiction {
  const proof: Proof = { format: proofFormat, keys, signed_before: before, signed_now: now, records };
  return new Contradiction(sentenceOf(proof) ?? fallback, proof);
}

function sentenceOf(proof: Proof): string | null {
  try {
    return shownBy(proof);
  } catch (error) {
    if (error instanceof NoteError || error instanceof VerificationFailure) return null;
    throw error;
  }
}
