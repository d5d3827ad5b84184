import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { commitmentOf, type MatchCommitment, publicInput } from '@husky/match/commitment';
import { digestNext, digestStart } from '@husky/match/digest';
import type { GameData } from '@husky/match/game-data';
import { gameData, nameGame } from '@husky/match/game-json';
import { jsonlWriter, type MatchWriter, phhWriter } from '@husky/match/match-file';
import { showControls } from '@husky/match/plain-text';
import { PlayDigest } from '@husky/match/play-digest';
import { playedHands } from '@husky/match/played-hands';
import { RULES_VERSION } from '@husky/match/rules-version';
import type { LikeMatch } from './like.ts';
import type { PlayedMatch } from './play-match.ts';
import type { BotFiles, PlayRequest } from './request.ts';

/** Maximum number of replays of the largest pots, and of hands with a fault, unless replays of all hands are requested. */
const maxReplaysPerKind = 10;

/** The digests of a match: `digest` covers times too, `playDigest` does not. */
export interface MatchDigests {
  readonly digest: string;
  readonly playDigest: string;
}

/**
 * Re-deals a match from its seed and, with a folder, writes its files there: match.jsonl, match.phhs, replays/, logs/. Throws when a record
 * does not follow from seed and rules. Errors of the file system pass through.
 */
export function finishMatch(match: PlayedMatch, request: PlayRequest, folder: string | null): MatchDigests {
  const digest = digestOf(match);
  const names = match.plan.order.map((bot, seat) => match.plan.like?.names[seat] ?? nameOf(request, bot));
  const manifest = manifestOf(match, request, names, digest);
  const files = folder === null ? [] : [openFile(folder, jsonlWriter), openFile(folder, phhWriter)];
  try {
    const replays = folder === null ? new Set<number>() : replayedHands(match, request.all_replays);
    const play = new PlayDigest();
    for (const { writer, fd } of files) writeAll(fd, writer.start(manifest));
    let number = 0;
    for (const game of gamesOf(match, names)) {
      number += 1;
      play.add(game, number);
      for (const { writer, fd } of files) writeAll(fd, writer.hand(game, number, match.plan.jobId));
      if (replays.has(number) && folder !== null) writeReplay(folder, number, game);
    }
    for (const { writer, fd } of files)
      writeAll(fd, writer.end({ complete: true, hands: number, play_digest: play.hex }));
    if (folder !== null) writeLogs(folder, match, names);
    return { digest, playDigest: play.hex };
  } finally {
    for (const { fd } of files) closeSync(fd);
  }
}

/** Yields the game data of all hands, re-dealt from the seed. */
function* gamesOf({ plan, records }: PlayedMatch, names: readonly string[]): Generator<GameData> {
  const { seed, starting_stack: startingStack, stacks, blinds } = plan.settings;
  const players = plan.order.length;
  const schedule = { bigBlind: blinds.big_blind, multiplier: blinds.multiplier, interval: blinds.interval };
  const rulesVersion = plan.settings.rules_version ?? RULES_VERSION;
  const content = {
    rulesVersion,
    firstHand: 1,
    startStacks: plan.order.map(() => startingStack),
    ...(stacks === 'reset' && { resetStack: startingStack }),
    bigBlindSeat: null,
    nextButton: null,
    hands: records,
  };
  const setup = { rulesVersion, players, startingStack, blinds: schedule, stacks };
  // The texts of bots are left out, as in the files of the site.
  for (const hand of playedHands(Buffer.from(seed, 'hex'), setup, content, () => false))
    yield nameGame(gameData(plan.jobId, hand) as unknown as Record<string, unknown>, names);
}

function digestOf({ plan, records }: PlayedMatch): string {
  let digest = digestStart(plan.jobId, plan.attempt);
  for (const [index, record] of records.entries()) digest = digestNext(digest, index + 1, record);
  return digest.toString('hex');
}

/** Returns the manifest with the keys of the site's files. Values that only a site knows are null. */
function manifestOf(match: PlayedMatch, request: PlayRequest, names: readonly string[], digest: string): object {
  const { plan, records, startedAtMs, endedAtMs } = match;
  const { settings, like } = plan;
  const hashes = plan.order.map((bot) => botHash(request.bots[bot]));
  const local: MatchCommitment = {
    rulesVersion: settings.rules_version ?? RULES_VERSION,
    roster: names.map((name, seat) => ({
      userId: like?.facts.roster[seat]?.userId ?? name,
      botHash: hashes[seat] ?? '',
      packagesHash: like?.facts.roster[seat]?.packagesHash ?? '',
    })),
    hands: settings.hands,
    startingStack: settings.starting_stack,
    blinds: {
      bigBlind: settings.blinds.big_blind,
      multiplier: settings.blinds.multiplier,
      interval: settings.blinds.interval,
    },
    profile: settings.profile,
    ...(settings.stacks === 'reset' && { stacks: settings.stacks }),
    seed: Buffer.from(settings.seed, 'hex'),
  };
  // With other bots, or another deal set, it is another match than the committed one.
  const committed = like && { ...local, ...committedFacts(like, hashes) };
  const same = committed && commitmentOf(committed) === like.manifest.commitment ? like : null;
  const facts = same && committed ? committed : local;
  const at = (ms: number) => (request.times ? new Date(ms).toISOString() : null);
  const own = {
    job_id: plan.jobId,
    source: null,
    batch_id: null,
    batch_number: null,
    game_number: null,
    players: names.map((username, seat) => ({
      seat: seat + 1,
      username,
      user_id: facts.roster[seat]?.userId,
      bot_hash: hashes[seat] ?? null,
      packages_hash: like?.facts.roster[seat]?.packagesHash || null,
    })),
    hands: records.length,
    num_rounds: settings.hands,
    stacks: settings.stacks,
    blinds: settings.blinds,
    rules_version: facts.rulesVersion,
    ...(same?.manifest.plan !== undefined && { plan: same.manifest.plan }),
    attempt: plan.attempt,
    digest,
    commitment: commitmentOf(facts),
    commitment_input: publicInput(facts),
    commitment_record: null,
    seed: Buffer.from(facts.seed).toString('hex'),
    ...(same?.manifest.seed_proof !== undefined && { seed_proof: same.manifest.seed_proof }),
    started_at: at(startedAtMs),
    ended_at: at(endedAtMs),
    made_at: at(Date.now()),
    license: null,
  };
  if (like === null) return own;
  const { source, batch_id, batch_number, game_number, license } = like.manifest;
  const commitment_record = same?.manifest.commitment_record ?? null;
  return { ...own, source, batch_id, batch_number, game_number, commitment_record, license };
}

/** Returns what was committed to of a match that is played again with these bots. */
function committedFacts({ facts, manifest }: LikeMatch, hashes: readonly string[]) {
  const { roster, plan, seeds, beacon } = facts;
  return {
    roster: roster.map((seat, index) => ({ ...seat, botHash: hashes[index] ?? '' })),
    ...(plan && { plan }),
    ...(seeds && { seeds }),
    ...(beacon && { beacon }),
    seed: Buffer.from(manifest.seed ?? '', 'hex'),
  };
}

/** Returns the hash that the platform gives a bot with these files. */
export function botHash(bot: BotFiles | undefined): string {
  if (bot === undefined) return '';
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const requirements = bot.requirements_file === null ? Buffer.alloc(0) : readFileSync(bot.requirements_file);
  return sha256(Buffer.concat([sha256(readFileSync(bot.player_file)), sha256(requirements)])).toString('hex');
}

/** Returns the numbers of the hands whose replays are written: the largest results and the first hands with a fault, or all. */
function replayedHands({ records }: PlayedMatch, all: boolean): Set<number> {
  const hands = records.map(({ deltas, actions }, index) => ({
    number: index + 1,
    won: Math.max(...deltas),
    fault: actions.some(({ fault }) => fault !== undefined),
  }));
  if (all) return new Set(hands.map(({ number }) => number));
  const largest = hands.toSorted((a, b) => b.won - a.won || a.number - b.number).slice(0, maxReplaysPerKind);
  const faulty = hands.filter(({ fault }) => fault).slice(0, maxReplaysPerKind);
  return new Set([...largest, ...faulty].map(({ number }) => number));
}

function writeReplay(folder: string, number: number, game: GameData): void {
  mkdirSync(join(folder, 'replays'), { recursive: true });
  writeFileSync(join(folder, 'replays', `hand-${String(number).padStart(5, '0')}.json`), `${JSON.stringify(game)}\n`);
}

function writeLogs(folder: string, { reports }: PlayedMatch, names: readonly string[]): void {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  for (const { seat, log, details } of reports) {
    const name = (names[seat] ?? '').replaceAll(/[^\w.-]+/g, '-');
    // The notes come first: what follows may look like notes.
    const notes = ['Notes of the platform:', ...(details.notes ?? []), '', 'Output of the bot:', ''].join('\n');
    writeFileSync(join(folder, 'logs', `seat-${seat + 1}-${name}.txt`), `${notes}${showControls(log)}`);
  }
}

function openFile(folder: string, writer: MatchWriter): { writer: MatchWriter; fd: number } {
  return { writer, fd: openSync(join(folder, `match.${writer.extension}`), 'w') };
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function nameOf({ bots }: PlayRequest, bot: number): string {
  return bots[bot]?.name ?? `bot ${bot + 1}`;
}
