import { setTimeout as pause } from 'node:timers/promises';
import { publishedRecord, type RestRecord } from '@husky/match/commitment';
import { type Head, NoteError, openHead, UnknownKey } from '@husky/match/signed-note';
import { checkLinks, VerificationFailure } from '@husky/match/verify-match';
import type { Command } from '../command.ts';
import { standardInput } from '../conversation.ts';
import {
  Contradiction,
  contradiction,
  emptyMemory,
  namesOf,
  type Proof,
  remember,
  type SentHead,
  type SiteMemory,
  trustKeys,
} from '../site-memory.ts';
import { KitError, send } from '../wire.ts';

/** Sends a GET to the site and returns the JSON of the response. */
type Get = (path: string) => Promise<unknown>;

const pageSize = 1000;
const maxPages = 100;
// The site may show a page that is a second old.
const staleMs = 1500;

interface Request {
  /** Null: nothing is kept of the site. */
  readonly memory: SiteMemory | null;
  /** A signed head to remember; null: compare the chain with what is kept. */
  readonly note?: string | null;
  /** A record that the chain must have. */
  readonly record?: Head | null;
}

export interface Compared {
  readonly memory: SiteMemory;
  /** Null: the site has no record. */
  readonly head: Head | null;
  /** The number of the first record that was read; null: the first contact with the site. */
  readonly from: number | null;
  /** False: there are more new records than one comparison reads. */
  readonly complete: boolean;
  readonly alarm: { readonly sentence: string; readonly proof: Proof } | null;
}

/** The command `compare-chain`. Requests responses of the site with events `get`. */
export const compareChain: Command = (request) => {
  const replies = standardInput();
  return answer(request as unknown as Request, async (path) => {
    send({ event: 'get', path });
    const reply = await replies.next();
    if (reply.done === true) throw new KitError(2, 'The process that calls the site has ended.');
    return JSON.parse(reply.value) as unknown;
  });
};

/** Remembers a signed head, or compares the chain of a site with what is kept. A contradiction is an alarm in the result. */
export async function answer({ memory, note, record }: Request, get: Get): Promise<Compared> {
  const kept = memory ?? emptyMemory;
  const nothing = { memory: kept, head: null, from: null, complete: true };
  try {
    if (typeof note !== 'string') return { ...(await compare(kept, record ?? null, get)), alarm: null };
    return { ...nothing, memory: await rememberNote(kept, note, get), alarm: null };
  } catch (error) {
    if (error instanceof Contradiction) return { ...nothing, alarm: { sentence: error.message, proof: error.proof } };
    if (error instanceof NoteError)
      throw new KitError(1, `The signed head of the site cannot be used: ${error.message}.`);
    throw error;
  }
}

async function rememberNote(kept: SiteMemory, note: string, get: Get): Promise<SiteMemory> {
  try {
    return remember(kept, note);
  } catch (error) {
    if (!(error instanceof UnknownKey)) throw error;
    return remember(trustKeys(kept, (await get('/live/signed-head')) as SentHead), note);
  }
}

async function compare(kept: SiteMemory, record: Head | null, get: Get): Promise<Omit<Compared, 'alarm'>> {
  const sent = (await get('/live/signed-head')) as SentHead;
  const memory = trustKeys(kept, sent);
  const note = sent.signed_head;
  const [newest] = memory.heads;
  if (note === null && newest !== undefined)
    throw contradiction(memory, newest, null, [], 'The site shows no chain, and has signed one.');
  if (note === null) return { memory, head: null, from: null, complete: true };
  const compared = await compareHeads(memory, note, get);
  if (record !== null) await checkRecord(compared.memory, record, note, get);
  return compared;
}

/** Compares the chain up to the signed head `note` with the heads that are kept. Throws Contradiction. */
async function compareHeads(memory: SiteMemory, note: string, get: Get): Promise<Omit<Compared, 'alarm'>> {
  const keys = namesOf(memory.keys);
  const { number, hash } = openHead(note, keys);
  const head = { number, hash };
  const { position } = memory;
  if (position === null) return { memory: remember(memory, note), head, from: null, complete: true };
  const heads = memory.heads.map((text) => ({ text, number: openHead(text, keys).number }));
  const missing = heads.find((one) => one.number > number);
  if (missing) {
    const problem = `The site has signed a chain of ${missing.number} records and shows one of ${number}.`;
    throw contradiction(memory, missing.text, note, [], problem);
  }
  // The first one was compared before, and the chain behind it was read up to the position.
  const open = heads.filter((one, index) => index > 0 || one.number === position.number);
  const expected = new Map(open.map((one) => [one.number, one.text]));
  const from = Math.min(position.number, ...expected.keys());
  const last = await readChain(memory, { from, head, note, expected }, get);
  if (last.number === number)
    return { memory: { ...memory, heads: [note], position: head }, head, from, complete: true };
  const compared = heads.filter((one) => one.number <= last.number).toSorted((a, b) => b.number - a.number);
  const rest = heads.filter((one) => one.number > last.number);
  const left = [...compared.slice(0, 1), ...rest].map((one) => one.text);
  return { memory: { ...memory, heads: left, position: last }, head, from, complete: false };
}

/** Reads the records from `from` up to the signed head. Returns the last one that was read. Throws Contradiction. */
async function readChain(
  memory: SiteMemory,
  { from, head, note, expected }: { from: number; head: Head; note: string; expected: ReadonlyMap<number, string> },
  get: Get,
): Promise<Head> {
  const keys = namesOf(memory.keys);
  let newest = memory.heads[0] ?? note;
  let contradicted: string | undefined;
  const kept: RestRecord[] = [];
  let before: RestRecord | undefined;
  for (let page = 0, next = from; next <= head.number && page < maxPages; page += 1) {
    const records = await readPage(next, Math.min(pageSize, head.number - next + 1), get);
    for (const record of records) {
      const problem = problemOf(before, record, next);
      if (problem !== null) throw contradiction(memory, newest, note, [], problem);
      const known = expected.get(record.number);
      const hash = known === undefined ? hashAt(memory.position, record.number) : openHead(known, keys).hash;
      if (hash !== null && hash !== record.hash) contradicted ??= known ?? newest;
      else if (contradicted === undefined && known !== undefined) newest = known;
      if (contradicted !== undefined) kept.push(record);
      before = record;
      next += 1;
    }
    if (records.length === 0)
      throw contradiction(
        memory,
        newest,
        note,
        [],
        `Record ${next} of the chain is missing, and the site has signed a head of ${head.number}.`,
      );
  }
  if (contradicted !== undefined)
    throw contradiction(memory, contradicted, note, kept, 'The chain is not the one that the site has signed.');
  const last = { number: before?.number ?? 0, hash: before?.hash ?? '' };
  if (last.number === head.number && last.hash !== head.hash)
    throw contradiction(
      memory,
      newest,
      note,
      [],
      `Record ${head.number} of the chain is not the one whose head the site signs.`,
    );
  return last;
}

const hashAt = (position: Head | null, number: number) => (position?.number === number ? position.hash : null);

async function readPage(number: number, limit: number, get: Get): Promise<RestRecord[]> {
  const path = `/live/commitments?after=${number - 1}&limit=${limit}`;
  const read = async () => ((await get(path)) as { commitments: RestRecord[] }).commitments;
  const records = await read();
  if (records.length === limit) return records;
  await pause(staleMs);
  return read();
}

function problemOf(before: RestRecord | undefined, record: RestRecord, number: number): string | null {
  if (record.number !== number) return `Record ${number} of the chain is missing.`;
  try {
    checkLinks((before === undefined ? [record] : [before, record]).map(publishedRecord));
    return null;
  } catch (error) {
    if (error instanceof VerificationFailure) return error.message;
    throw error;
  }
}

async function checkRecord(memory: SiteMemory, { number, hash }: Head, note: string, get: Get): Promise<void> {
  const [found] = await readPage(number, 1, get);
  if (found?.hash === hash) return;
  const problem = `Record ${number} of the chain is ${found === undefined ? 'missing' : 'another one'} than in this file. Keep the file: it shows what the site stated.`;
  throw contradiction(memory, memory.heads[0] ?? note, note, found === undefined ? [] : [found], problem);
}
