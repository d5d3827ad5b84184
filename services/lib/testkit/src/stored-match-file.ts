import { readFileSync } from 'node:fs';
import { decodeChunk } from '@husky/match/chunk';
import {
  canonicalJson,
  commitmentOf,
  nameHash,
  PUBLIC_RANDOMNESS_VERSION,
  publicInput,
  recordText,
  restRecord,
  restSeedProof,
  sha256Hex,
  subjectHash,
} from '@husky/match/commitment';
import type { GameData } from '@husky/match/game-data';
import { gameData, nameGame } from '@husky/match/game-json';
import type { MatchEnd, MatchWriter } from '@husky/match/match-file';
import { PlayDigest } from '@husky/match/play-digest';
import { playedHands } from '@husky/match/played-hands';
import { rootOf, SEED_LIST_DEPTH } from '@husky/match/seed-list';
import { uuidOfText } from '@husky/runtime/process/uuid';

export interface StoredMatch {
  /** What it was dealt from. */
  readonly seed: string;
  readonly setup: {
    readonly players: number;
    readonly startingStack: number;
    readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
    readonly stacks?: 'carry' | 'reset';
  };
  readonly hands: number;
  readonly digest: string;
  readonly chunks: readonly string[];
}

const sha256 = sha256Hex;
function readStored(matchId: string): StoredMatch {
  const url = new URL(`../../match/test/stored/${matchId}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as StoredMatch;
}

/**
 * Returns a match of services/lib/match/test/stored, or `stored`, with players, a plan, a commitment and the first record of a chain; `asOnce`:
 * without what came after rules version 1; `game`: its number in the plan, for matches before rules version 3. The match that ends with a bust was to have 100 more hands.
 */
export function storedMatch(matchId: string, { asOnce = false, game = 7, stored = readStored(matchId) } = {}) {
  const { seed: hex, setup, hands, digest, chunks } = stored;
  const contents = chunks.map((chunk) => decodeChunk(Buffer.from(chunk, 'base64')));
  const names = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay'].slice(0, setup.players);
  const { startingStack, blinds, stacks = 'carry' } = setup;
  const rulesVersion = contents[0]?.rulesVersion ?? 0;
  const isPublic = rulesVersion >= PUBLIC_RANDOMNESS_VERSION;
  const roster = names.map((name) => ({
    userId: uuidOfText(name),
    botHash: sha256(`bot of ${name}`),
    packagesHash: name === 'bob' ? sha256('packages') : '',
    ...(isPublic && name < 'd' && { nonce: sha256(`nonce of ${name}`) }),
  }));
  const openings = names.map((name) => ({ user_id: uuidOfText(name), name, salt: sha256(`salt of ${name}`) }));
  const hashed = roster.map((seat, index) => ({
    ...seat,
    nameHash: nameHash(openings[index]?.salt ?? '', names[index] ?? ''),
  }));
  const taken = { count: 28, first: 5, list: 1 };
  const tables = Array.from({ length: 28 }, () => 'ABCDEF');
  const text = canonicalJson({
    kind: 'batch',
    id: uuidOfText('batch'),
    roster: hashed,
    matches: 28,
    tables,
    ...(isPublic && { seeds: taken }),
  });
  const facts = {
    rulesVersion,
    roster,
    ...(isPublic && { seeds: { list: 1, number: 11 } }),
    ...(!asOnce && { plan: { game: isPublic ? 7 : game, hash: sha256(text) } }),
    hands: matchId === 'carry-until-bust' ? hands + 100 : hands,
    profile: 'documented',
    startingStack,
    blinds,
    stacks,
  };
  const jobId = uuidOfText(matchId);
  const key = Buffer.from(hex, 'hex');
  const seed = isPublic ? publicSeed : key;
  const commitment = commitmentOf({ ...facts, seed });
  const previous = '0'.repeat(64);
  const time = '2025-10-01T00:00:00.000Z';
  const recordOf = (number: number, jobHash: string, of: string) => {
    const link = { number, jobHash, commitment: of, time, previous };
    return { ...link, hash: sha256(recordText(link)) };
  };
  const record = recordOf(isPublic ? 3 : 1, sha256(jobId), commitment);
  const path = Array.from({ length: SEED_LIST_DEPTH }, (_, level) => sha256(`neighbour ${level}`));
  const seedProof = isPublic ? { path, record: recordOf(1, subjectHash('seeds', '1'), rootOf(seed, 11, path)) } : null;
  const plan = { text, names: openings };
  return { jobId, names, facts, plan, key, seed, commitment, record, seedProof, hands, digest, contents };
}

/** The seed of the stored match of rules version 3. */
export const publicSeed = Buffer.alloc(32, 0x5e);

/** The content of a match's file. */
export interface StoredMatchFile {
  readonly manifest: Record<string, unknown>;
  readonly games: readonly GameData[];
  readonly end: MatchEnd;
}

/**
 * Returns a stored match as a site exports it; `asOnce`: without the keys that files did not have when rules version 1 was the newest.
 */
export function storedMatchFile(matchId: string, { asOnce = false, game = 7 } = {}): StoredMatchFile {
  const stored = storedMatch(matchId, { asOnce, game });
  const { jobId, names, facts, plan, key, seed, commitment, record, seedProof, digest, contents } = stored;
  const { roster, blinds, rulesVersion } = facts;
  const setup = { ...facts, players: names.length };
  const games = contents
    .flatMap((content) => [...playedHands(key, setup, content, () => false)])
    .map((hand) => {
      const { smallBlindSeat, bigBlindSeat, ...game } = nameGame({ ...gameData(jobId, hand) }, names);
      return { ...game, ...(asOnce ? {} : { smallBlindSeat, bigBlindSeat }) } as GameData;
    });
  const manifest = {
    job_id: jobId,
    source: `https://poker.test/games/${jobId}`,
    batch_id: uuidOfText('batch'),
    batch_number: 3,
    game_number: facts.plan?.game ?? game,
    players: names.map((username, seat) => ({
      seat: seat + 1,
      username,
      ...(asOnce ? {} : { user_id: roster[seat]?.userId }),
      bot_hash: roster[seat]?.botHash,
      packages_hash: roster[seat]?.packagesHash || null,
    })),
    hands: games.length,
    num_rounds: facts.hands,
    stacks: facts.stacks,
    blinds: { big_blind: blinds.bigBlind, multiplier: blinds.multiplier, interval: blinds.interval },
    rules_version: rulesVersion,
    ...(!asOnce && { plan }),
    attempt: 1,
    digest,
    commitment,
    commitment_input: publicInput(facts),
    commitment_record: restRecord(record),
    seed: seed.toString('hex'),
    ...(seedProof && { seed_proof: restSeedProof(seedProof) }),
    started_at: '2025-10-09T00:00:00.000Z',
    ended_at: '2025-10-09T01:00:00.000Z',
    made_at: '2025-10-10T00:00:00.000Z',
    license: { name: 'MIT', text: 'the file LICENSE' },
  };
  return { manifest, games, end: endOf(games) };
}

/** Returns the end of a file with these hands. */
export function endOf(games: readonly GameData[]): MatchEnd {
  const digest = new PlayDigest();
  for (const [index, game] of games.entries()) digest.add(game, index + 1);
  return { complete: true, hands: games.length, play_digest: digest.hex };
}

/** Returns the parts of a file: manifest, hands, end. */
export function partsOf({ manifest, games, end }: StoredMatchFile, writer: MatchWriter): string[] {
  const jobId = String(manifest.job_id);
  return [writer.start(manifest), ...games.map((game, index) => writer.hand(game, index + 1, jobId)), writer.end(end)];
}
