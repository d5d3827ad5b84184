import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { publishedRecord, publishedSeedProof, type RestRecord, type RestSeedProof } from '@husky/match/commitment';
import { csvCells } from '@husky/match/csv';
import { SignedLines } from '@husky/match/file-signature';
import type { GameData } from '@husky/match/game-data';
import { type PublishedHand, publishedHandOf } from '@husky/match/published-hand';
import { isKnownVersion, RULES_VERSION } from '@husky/match/rules-version';
import type { PublishedProof } from '@husky/match/verify-match';
import { csvHands, phhHands, type TextHand } from './text-hands.ts';
import { KitError } from './wire.ts';

/** The first line of a match file. Keys that the kit does not read are not named (docs/game-data.md). */
export interface Manifest {
  readonly [key: string]: unknown;
  readonly job_id: string;
  /** The match's page on the site; null for a local match. */
  readonly source: string | null;
  readonly players: readonly { readonly seat: number; readonly username: string }[];
  /** Hands played. */
  readonly hands: number;
  readonly rules_version: number | null;
  readonly commitment: string | null;
  readonly commitment_input: string | null;
  readonly commitment_record: RestRecord | null;
  /** Absent in matches whose seed is of no list. */
  readonly seed_proof?: RestSeedProof | null;
  /** Hex; null until it is published. */
  readonly seed: string | null;
}

export interface FileHand {
  readonly number: number;
  readonly game: GameData;
}

/** An open match file whose manifest has been read. */
export interface MatchFile {
  readonly name: string;
  readonly format: 'jsonl' | 'phh' | 'csv';
  readonly manifest: Manifest;
  /** Yields all hands of JSON lines in order. Throws KitError for a damaged line, and at the end of the file for a missing end line. */
  hands(): AsyncGenerator<FileHand>;
  /** As `hands`, of a PHH or CSV file. */
  textHands(): AsyncGenerator<TextHand>;
  /** The end, without its key `type`; empty before all hands are read. */
  readonly end: Json;
  /** What the signature of the file covers; complete after all hands are read. */
  readonly signed: SignedLines;
  /** Closes a file that is not read to its end. */
  close(): Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

/** Opens a match file of JSON lines and reads its manifest. Throws KitError. */
export async function openMatchFile(path: string): Promise<MatchFile> {
  const file = await openAnyMatchFile(path);
  if (file.format === 'jsonl') return file;
  await file.close();
  throw new KitError(2, `${path} is a PHH or CSV file, which has not every fact. Download the match as JSON lines.`);
}

/** Opens a match file of any format and reads its manifest. Throws KitError. */
export async function openAnyMatchFile(path: string): Promise<MatchFile> {
  let stream: Readable;
  try {
    const file = await open(path);
    if ((await file.stat()).isDirectory()) {
      await file.close();
      throw new KitError(2, `${path} is a folder. Name the match file in it.`);
    }
    stream = file.createReadStream();
  } catch (error) {
    if (error instanceof KitError) throw error;
    throw new KitError(2, `${path} cannot be read: ${reasonOf(error)}.`);
  }
  return readMatchFile(path, stream);
}

/** Reads the manifest of a match file from a stream. `name` is used in messages. Throws KitError. */
export async function readMatchFile(name: string, stream: Readable): Promise<MatchFile> {
  const signed = new SignedLines();
  const unsigned = linesOf(name, stream);
  const first = await unsigned.next();
  if (first.done === true) throw new KitError(2, `${name} is empty.`);
  const text = first.value.replace(/^# manifest \{/, '{"type":"manifest",');
  const isText = text !== first.value;
  let manifest: Manifest;
  try {
    manifest = manifestOf(name, text);
  } catch (error) {
    await unsigned.return(undefined);
    throw error;
  }
  // A PHH file goes on with an empty line, a CSV file with its columns.
  const second = isText ? await unsigned.next() : undefined;
  const format = second === undefined ? 'jsonl' : second.value ? 'csv' : 'phh';
  const ending = format === 'csv' ? '\r\n' : '\n';
  signed.add(first.value, ending);
  if (second !== undefined) signed.add(second.value ?? '', ending);
  const lines = addedTo(signed, unsigned, ending);
  let end: Json = {};
  const cutOff = (read: number) =>
    new KitError(2, `${name} is cut off after hand ${read} of ${manifest.hands}: download it again.`);
  return {
    name,
    format,
    manifest,
    get end() {
      return end;
    },
    signed,
    close: async () => void (await unsigned.return(undefined)),
    async *hands() {
      end = yield* handsOf(name, lines, cutOff);
    },
    async *textHands() {
      const hands = format === 'csv' ? csvHands(csvCells(second?.value ?? ''), lines) : phhHands(lines);
      let read = 0;
      for (let next = await hands.next(); ; next = await hands.next()) {
        if (next.done !== true) {
          read += 1;
          yield next.value;
          continue;
        }
        if (next.value === null) throw cutOff(read);
        end = next.value;
        return;
      }
    },
  };
}

/** Yields lines that it adds to what is signed. */
async function* addedTo(signed: SignedLines, lines: AsyncGenerator<string>, ending: string): AsyncGenerator<string> {
  for await (const line of lines) {
    signed.add(line, ending);
    yield line;
  }
}

async function* linesOf(name: string, stream: Readable): AsyncGenerator<string> {
  const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  const errors: Error[] = [];
  stream.once('error', (error) => {
    errors.push(error);
    reader.close();
  });
  try {
    for await (const line of reader) yield line;
    if (errors[0] !== undefined) throw new KitError(2, `${name} cannot be read: ${reasonOf(errors[0])}.`);
  } finally {
    reader.close();
    stream.destroy();
  }
}

function manifestOf(name: string, line: string): Manifest {
  if (line.startsWith('PK')) throw new KitError(2, `${name} is a zip archive, not a match file. Unpack it first.`);
  const found = parseObject(line);
  if (found?.type !== 'manifest' || typeof found.job_id !== 'string') {
    throw new KitError(2, `${name} is not a match file: its first line is no manifest.`);
  }
  const { players, hands, source, rules_version: rules } = found;
  if (!Array.isArray(players) || players.length < 2 || !players.every(isPlayer) || !Number.isSafeInteger(hands)) {
    throw new KitError(2, `${name} is not a match file: its manifest names no players or no number of hands.`);
  }
  if (!isKnownVersion(rules)) {
    const site = typeof source === 'string' && URL.canParse(source) ? new URL('/kit', source).href : null;
    const where = site === null ? 'the kit that played it' : `the kit of its site, ${site}`;
    throw new KitError(
      2,
      `${name} was played by rules version ${String(rules)}; this kit knows those up to ${RULES_VERSION}. Install ${where}.`,
    );
  }
  return found as unknown as Manifest;
}

const isPlayer = (value: unknown): boolean => typeof (value as Json | null)?.username === 'string';

async function* handsOf(
  name: string,
  lines: AsyncGenerator<string>,
  cutOff: (read: number) => KitError,
): AsyncGenerator<FileHand, Json> {
  let read = 0;
  for await (const line of lines) {
    const found = parseObject(line);
    if (found?.type === 'end') {
      if (found.complete !== true || found.hands !== read) {
        throw new KitError(
          2,
          `${name} is not complete: it has ${read} hands, and its end names ${String(found.hands)}.`,
        );
      }
      const { type: _, ...end } = found;
      return end;
    }
    if (found?.type !== 'hand') {
      // The last line of a file that was cut off is often half a hand.
      throw new KitError(
        2,
        `Line ${read + 2} of ${name} is not a hand. The file is damaged or cut off: download it again.`,
      );
    }
    read += 1;
    yield { number: Number(found.hand), game: found.game_data as GameData };
  }
  throw cutOff(read);
}

function parseObject(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Returns the published facts of a hand. Throws KitError for game data of another form. */
export function publishedHand(file: MatchFile, { game, number }: FileHand): PublishedHand {
  return readable(file, number, () => publishedHandOf(game, number));
}

/** Runs what only malformed data of a hand can fail. Throws KitError if they do. */
export function readable<T>({ name }: MatchFile, number: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new KitError(2, `Hand ${number} of ${name} cannot be read: ${error.message}.`);
  }
}

/** Returns the facts by which the match is verified. Throws KitError while its seed is not published. */
export function proofOf({ name, manifest }: MatchFile): PublishedProof {
  const { job_id: jobId, commitment, commitment_input: publicInput, commitment_record: record, seed } = manifest;
  const { seed_proof: place } = manifest;
  if (typeof commitment !== 'string' || typeof publicInput !== 'string') {
    throw new KitError(2, `${name} has no commitment, so its cards cannot be verified.`);
  }
  if (typeof seed !== 'string') {
    throw new KitError(2, `${name} has no seed: it was downloaded before the seed was published. Download it again.`);
  }
  const seedProof = place?.record ? publishedSeedProof(place) : null;
  return { jobId, commitment, publicInput, seed, record: record ? publishedRecord(record) : null, seedProof };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'permission is denied';
  return message;
}
