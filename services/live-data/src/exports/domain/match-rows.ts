import type { MatchFacts__Output } from '@husky/contracts/types/simulation/v1/MatchFacts';
import { type BlockSums, sumBlocks } from '@husky/estimate/match-sums';
import { Action, actionNames, type Street } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import type { GameData } from '@husky/match/game-data';
import { STREETS } from '@husky/match/game-data';
import { gameData } from '@husky/match/game-json';
import { phhOf } from '@husky/match/phh';
import { AdjustedNets, HUNDREDTHS } from '../../domain/adjusted-nets.ts';
import type { Match } from '../../domain/match.ts';
import { type ChunkContent, handResults, playedHands } from '../../domain/record.ts';
import type { Row, TableName } from './tables.ts';

/** Adds a row to a table. */
export type AddRow = (table: TableName, row: Row) => void;

/** A finished match with simulation's facts of it. */
export interface ExportedMatch {
  readonly match: Match;
  readonly facts: MatchFacts__Output;
  readonly attempt: {
    readonly number: number;
    readonly hands: number;
    readonly digest: string;
    readonly startedAt: Date;
  };
  /** By seat: those of the plan, without one the present ones. */
  readonly names: readonly string[];
  readonly batchNumber: number | null;
  /** Adjusted nets as they are stored, by seat; null: they are computed. */
  readonly values: readonly (readonly number[])[] | null;
}

interface SeatSums {
  net: number;
  stack: number;
  faults: number;
  adjusted: number;
  /** Cumulative, in hundredths of a chip. */
  adjustedNet: number;
  /** By hand. */
  readonly nets: number[];
  readonly adjustedNets: number[];
}

/** Returns what the plan of a match has of a player's name; undefined for a deleted account, and without a plan. */
export const plannedName = ({ plan }: Pick<MatchFacts__Output, 'plan'>, userId: string) =>
  plan?.names.find((one) => one.userId === userId);

const cardsOf = (cards: Iterable<number>) => [...cards].map((card) => cardCode(card)).join(' ');
// Everybody gets the same file, so it has no texts of bots.
const withoutTexts = () => false;

/** Returns what shows that the published seed stands in its list, as JSON with the names of REST. */
function seedProofOf({ seedReveal }: MatchFacts__Output): string | null {
  if (!seedReveal?.listRecord) return null;
  const { number, jobHash, commitment, time, previous, hash, kind } = seedReveal.listRecord;
  const record = { number, kind, job_hash: jobHash, commitment, time, previous, hash };
  return JSON.stringify({ path: seedReveal.path, record });
}

/** Collects the rows and the PHH file of one match, chunk by chunk. */
export class MatchRows {
  readonly #exported: ExportedMatch;
  readonly #add: AddRow;
  readonly #seats: SeatSums[];
  readonly #phh: string[];
  readonly #luck: AdjustedNets;
  readonly #bigBlinds: number[] = [];
  #hands = 0;

  constructor(exported: ExportedMatch, add: AddRow) {
    this.#exported = exported;
    this.#add = add;
    const { startingStack, playerIds, jobId } = exported.match;
    const none = { net: 0, stack: startingStack, faults: 0, adjusted: 0, adjustedNet: 0 };
    this.#seats = playerIds.map(() => ({ ...none, nets: [], adjustedNets: [] }));
    this.#luck = new AdjustedNets(exported.match, exported.values);
    this.#phh = [`# match ${jobId} of Husky Hold'em; seats, cards and seeds: README.md of the archive\n\n`];
  }

  /** Re-deals the next chunk and adds its hands. Throws RecordMismatch or RangeError for a chunk that does not re-deal. */
  addChunk(content: ChunkContent): void {
    const { match, names } = this.#exported;
    const results = handResults(match, content);
    const luck = this.#luck.of(content);
    for (const [index, played] of [...playedHands(match, content, withoutTexts)].entries()) {
      const result = results.next();
      const adjustedNets = luck.next();
      const record = content.hands[index];
      if (result.done || adjustedNets.done || record === undefined)
        throw new RangeError('a chunk has fewer results than hands');
      const { facts } = result.value;
      const key = { job_id: match.jobId, hand: content.firstHand + index };
      this.#hands += 1;
      this.#bigBlinds.push(played.blinds.big);
      this.#add('hands', {
        ...key,
        started_at: new Date(record.startedAtMs),
        small_blind: played.blinds.small,
        big_blind: played.blinds.big,
        button_seat: played.button + 1,
        board: cardsOf(played.board),
        street: STREETS[facts.street] ?? '',
        pot: facts.pot,
        showdown: facts.showdown,
        all_in: facts.allIn,
        small_blind_seat: played.smallBlindSeat === null ? null : played.smallBlindSeat + 1,
        big_blind_seat: played.bigBlindSeat + 1,
      });
      for (const [seat, sums] of this.#seats.entries()) {
        const start = played.startStacks[seat] ?? 0;
        const net = record.deltas[seat] ?? 0;
        sums.net += net;
        sums.stack = start + net;
        const until = adjustedNets.value[seat] ?? 0;
        const adjustedNet = (until - sums.adjustedNet) / HUNDREDTHS;
        sums.adjustedNet = until;
        sums.nets.push(net);
        sums.adjustedNets.push(adjustedNet);
        if (!played.dealtIn[seat]) continue;
        const folded = record.actions.some((action) => action.seat === seat && action.kind === Action.FOLD);
        const cards = cardsOf(played.holeCards[seat] ?? []);
        const player = { ...key, seat: seat + 1, cards, start_stack: start };
        this.#add('hand_players', { ...player, net, adjusted_net: adjustedNet, folded });
      }
      for (const [step, action] of record.actions.entries()) {
        const { seat, kind, amount, ms, fault = null, adjusted } = action;
        const sums = this.#seats[seat];
        if (sums && fault !== null) sums.faults += 1;
        if (sums && adjusted) sums.adjusted += 1;
        const street = STREETS[action.street as Street] ?? '';
        const details = { action: actionNames[kind], amount, ms, fault, adjusted };
        this.#add('actions', { ...key, number: step + 1, street, seat: seat + 1, ...details });
      }
      const game: GameData = { ...gameData(match.jobId, played), playerNames: Object.fromEntries(names.entries()) };
      this.#phh.push(`[${key.hand}]\n${phhOf(game, key.hand, match.jobId)}\n`);
    }
  }

  /** Adds the rows of the match and its results, and returns its PHH file. Throws RangeError if hands are missing. */
  finish(): string {
    const { match, facts, attempt, names, batchNumber } = this.#exported;
    if (this.#hands !== attempt.hands) {
      throw new RangeError(`${this.#hands} of ${attempt.hands} hands of match ${match.jobId} could be read`);
    }
    const { job } = facts;
    const details = job?.commitmentDetails;
    const record = details?.record;
    this.#add('matches', {
      job_id: match.jobId,
      batch_number: batchNumber,
      game_number: match.gameNumber,
      started_at: attempt.startedAt,
      seats: match.playerIds.length,
      num_rounds: match.numRounds,
      hands: attempt.hands,
      starting_stack: match.startingStack,
      stacks: match.stacks,
      big_blind: match.bigBlind,
      blind_multiplier: match.blindMultiplier,
      blind_interval: match.blindInterval,
      profile: facts.profile,
      rules_version: match.rulesVersion,
      attempt: attempt.number,
      digest: attempt.digest,
      no_contest: job?.noContest ?? false,
      end_reason: match.endReason || null,
      deal_set: facts.dealSetId,
      // A simulation of the version before has no seed but the key.
      seed: facts.seedReveal?.seedHex ?? (facts.seedPublished ? facts.seed.toString('hex') : null),
      seed_proof: seedProofOf(facts),
      plan: facts.plan?.text || null,
      commitment: job?.commitment || null,
      commitment_input: details?.publicInput || null,
      record_number: record?.number ?? null,
      record_job_hash: record?.jobHash ?? null,
      record_time: record?.time ?? null,
      record_previous: record?.previous ?? null,
      record_hash: record?.hash ?? null,
    });
    for (const [seat, { net, stack, faults, adjusted, adjustedNet }] of this.#seats.entries()) {
      const bot = facts.seats[seat];
      const userId = match.playerIds[seat] ?? '';
      this.#add('results', {
        job_id: match.jobId,
        seat: seat + 1,
        user_id: userId,
        username: names[seat] ?? 'unknown',
        name_salt: plannedName(facts, userId)?.salt ?? null,
        bot_hash: bot?.botHash ?? '',
        packages_hash: bot?.packagesHash || null,
        delta: job?.noContest ? 0 : net,
        net,
        adjusted_net: adjustedNet / HUNDREDTHS,
        final_stack: stack,
        faults,
        adjusted,
      });
    }
    return this.#phh.join('');
  }

  /** Returns the sums of the hands by block, from which standings are computed. */
  blockSums(): BlockSums {
    const { numRounds } = this.#exported.match;
    const [nets, adjusted] = [this.#seats.map((seat) => seat.nets), this.#seats.map((seat) => seat.adjustedNets)];
    return sumBlocks(nets, adjusted, this.#bigBlinds, numRounds);
  }
}
