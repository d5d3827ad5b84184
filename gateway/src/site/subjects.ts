import type { Hand__Output } from '@husky/contracts/types/live/v1/Hand';
import { rankOf } from '@husky/match/ranks';
import { DomainError } from '@husky/runtime/rpc/errors';
import { readBatchNumbers } from '../batch-numbers.ts';
import {
  asVisitor,
  type Link,
  leadSentence,
  listResults,
  matchSentence,
  matchTitle,
  type Reader,
  readBoard,
  rowsListed,
} from './lists.ts';
import { generalScene, type ListScene, rowsShown, type Scene, type Seat, type TableScene } from './pictures/scenes.ts';
import { benchmark, formatChange, formatCount, joinNames, winSentence } from './words.ts';

/** What a link preview shows about a match, hand, player or batch. Contains nothing that an anonymous caller may not read. */
export interface Subject {
  /** The match whose visibility decides whether the subject may be shown. */
  readonly jobId?: string;
  /** The batch whose visibility decides whether the subject may be shown. */
  readonly batchId?: string;
  /** The path of its page, if that is not the requested one. */
  readonly movedTo?: string;
  readonly title: string;
  readonly description: string;
  readonly scene: Scene;
  /** Pages about its parts, for browsers without JavaScript. */
  readonly links?: readonly Link[];
}

/** Reads a public match. Returns undefined for private and unknown matches. */
export async function readMatch(jobId: string, context: Reader): Promise<Subject | undefined> {
  const request = { publicOnly: true, jobIdBegins: jobId, page: 1, pageSize: 1 };
  const [match] = (await context.liveData.listMatches(request, asVisitor)).matches;
  if (match?.jobId !== jobId) return undefined;
  const [nameOf, numbers, board] = await Promise.all([
    context.names.of(match.playerIds),
    readBatchNumbers([match], context),
    lastBoard(jobId, context),
  ]);
  const { playerIds, deltas } = match;
  const seats: Seat[] = playerIds.map((id, seat) => ({ name: nameOf(id), delta: deltas[seat] ?? 0, cards: [] }));
  const title = matchTitle(jobId, match.gameNumber, numbers.get(match.batchId));
  const sentence = matchSentence(match, nameOf);
  const batch = await batchLink(match.batchId, numbers.get(match.batchId), context);
  return {
    jobId,
    title,
    description: `${sentence}. No-Limit Hold'em between the bots of ${joinNames(seats.map(({ name }) => name))}.`,
    scene: { heading: title, sentence, board, seats },
    links: batch,
  };
}

/** Links the batch of a match, if it is public. */
async function batchLink(batchId: string, number: number | undefined, context: Reader): Promise<Link[]> {
  if (batchId === '' || number === undefined) return [];
  const { batchIds } = await context.liveData.listPublicBatches({ batchIds: [batchId] }, asVisitor);
  return batchIds.includes(batchId) ? [{ href: `/batches/${number}`, text: `Batch ${number}` }] : [];
}

/** Returns the board of the last stored hand that reached the river; an empty one if there is none. */
async function lastBoard(jobId: string, context: Reader): Promise<string[]> {
  const request = { jobId, sort: 'number', descending: true, street: 'river', page: 1, pageSize: 1 };
  try {
    const { hands } = await context.liveData.searchHands(request, asVisitor);
    return hands[0]?.board ?? [];
  } catch (error) {
    // The preview is useful without a board. If the match became private, the other calls refuse it too.
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** The fields of docs/game-data.md that a picture shows. */
interface Game {
  readonly finalBoard: string[];
  readonly playerHands: Readonly<Record<string, readonly string[]>>;
  readonly playerMoney: { readonly thisGameDelta: Readonly<Record<string, number>> };
}

const gameOf = (hand: Hand__Output) => JSON.parse(hand.gameJson) as Game;

/** Reads a hand of a public match. Rejects with live-data's refusal for private and unknown hands. */
export async function readHand(gameId: string, context: Reader): Promise<Subject | undefined> {
  const hand = await context.liveData.getHand({ gameId }, asVisitor);
  const game = gameOf(hand);
  const nameOf = await context.names.of(hand.playerIds);
  const seats = hand.playerIds.map((id, seat) => ({
    name: nameOf(id),
    delta: game.playerMoney.thisGameDelta[String(seat + 1)] ?? 0,
    cards: game.playerHands[String(seat)] ?? [],
  }));
  const sentence = `${winSentence(seats)} net in hand ${hand.hand}`;
  const board = game.finalBoard.length === 0 ? 'It ended before the flop' : `The board is ${game.finalBoard.join(' ')}`;
  const scene: TableScene = { heading: `Hand ${hand.hand}`, sentence, board: game.finalBoard, seats };
  return {
    jobId: hand.jobId,
    title: `Hand ${hand.hand} of match ${hand.jobId.slice(0, 8)}`,
    description: `${sentence}. ${board}. Replay it step by step.`,
    scene,
    links: [{ href: `/games/${hand.jobId}`, text: `Match ${hand.jobId.slice(0, 8)}` }],
  };
}

/** Reads a user's place on the board and public matches. Rejects with auth's refusal for unknown and deleted users. */
export async function readPlayer(username: string, context: Reader): Promise<Subject | undefined> {
  const user = await context.auth.getUser({ username }, asVisitor);
  const [board, { total, links }] = await Promise.all([
    readBoard(context, 1000),
    listResults(context, { playerId: user.id }),
  ]);
  const place = board.rows.findIndex((row) => row.userId === user.id);
  const first = Math.max(0, Math.min(place - 3, board.rows.length - rowsShown));
  const nearby = board.rows.slice(first, first + rowsShown);
  const nameOf = await context.names.of(nearby.map((row) => row.userId));
  const played = formatCount(total, 'public match', 'public matches');
  const score = (board.rows[place]?.scoreCents ?? 0) / 100;
  const standing =
    place < 0 ? 'not on the leaderboard yet' : `number ${board.rows[place]?.rank} with ${formatChange(score)}`;
  const scene: ListScene = {
    heading: user.username,
    sentence: `${capitalised(standing)}, ${played}`,
    rows: nearby.map((row) => ({
      rank: row.rank,
      name: nameOf(row.userId),
      delta: row.scoreCents / 100,
      highlighted: row.userId === user.id,
    })),
  };
  return {
    title: user.username,
    description: `The poker bot of ${user.username}: ${standing}, ${played}.`,
    scene,
    links,
  };
}

/** Reads a public batch with its standing. Rejects with simulation's refusal for private and unknown batches. */
export async function readBatch(number: string, context: Reader): Promise<Subject | undefined> {
  const batch = await context.simulation.findBatch({ batchNumber: Number(number) }, asVisitor);
  const [{ players, matches, hands }, { links }] = await Promise.all([
    context.liveData.getResults({ batchId: batch.id }, asVisitor),
    listResults(context, { batchId: batch.id }),
  ]);
  const nameOf = await context.names.of(players.map(({ userId }) => userId));
  const deltas = players.map(({ delta }) => delta);
  const rows = players.map(({ userId, delta }) => ({
    rank: rankOf(delta, deltas),
    name: nameOf(userId),
    delta,
    highlighted: delta === players[0]?.delta,
  }));
  const played = `${formatCount(matches, 'match', 'matches')} of ${formatCount(players.length, 'player')}, ${formatCount(hands, 'hand')}`;
  const leader = rows.length === 0 ? '' : `${leadSentence(rows.filter(({ highlighted }) => highlighted))} after `;
  return {
    batchId: batch.id,
    ...(batch.batchNumber === Number(number) ? {} : { movedTo: `/batches/${batch.batchNumber}` }),
    title: `Batch ${batch.batchNumber}`,
    description: `${leader}${played}. Standing, curves and all matches.`,
    scene: {
      heading: `Batch ${batch.batchNumber}`,
      sentence: `${leader}${formatCount(matches, 'match', 'matches')}`,
      rows,
    },
    links,
  };
}

/** Reads a tournament: its champion, or the standing of its newest stage. Rejects with simulation's refusal for an unknown one. */
export async function readTournament(slug: string, context: Reader): Promise<Subject | undefined> {
  const { spec, state, stages, entrantCount, championId } = await context.simulation.getTournament({ slug }, asVisitor);
  const { name = '', description = '' } = spec ?? {};
  const shown = stages.findLast(({ standings }) => standings.length > 0);
  const standings = shown?.standings ?? [];
  const nameOf = await context.names.of(standings.map(({ userId }) => userId));
  const entered = formatCount(entrantCount, 'entrant', 'entrants');
  const sentence = sentenceOf(state, championId === '' ? '' : nameOf(championId), entered, shown?.name ?? '');
  const rows = standings.map(({ userId, rank, delta }) => ({
    rank,
    name: nameOf(userId),
    delta,
    highlighted: userId === championId,
  }));
  return {
    title: name,
    description: `${sentence}. ${description}`.trim(),
    // Without a standing it is drawn as a table.
    scene: rows.length > 0 ? { heading: name, sentence, rows } : { ...generalScene, heading: name, sentence },
  };
}

function sentenceOf(state: string, champion: string, entered: string, stage: string): string {
  if (champion !== '') return `${champion} is the champion of ${entered}`;
  if (state === 'open') return `Entries are open: ${entered} at present`;
  return stage === '' ? `${capitalised(state)}, ${entered}` : `${stage}: ${state}, ${entered}`;
}

/** Reads the ranking and the newest results, for the home page. */
export async function readHome(context: Reader): Promise<Subject> {
  const [board, { links }] = await Promise.all([readBoard(context, rowsListed), listResults(context, {}, 5)]);
  const nameOf = await context.names.of(board.rows.map(({ userId }) => userId));
  const rows = board.rows.map(({ userId, scoreCents, rank }) => ({
    rank,
    name: nameOf(userId),
    delta: scoreCents / 100,
    highlighted: false,
  }));
  const leaders = rows.filter(({ rank }) => rank === 1);
  const leader =
    leaders.length === 0 ? '' : `${leadSentence(leaders)} in the ranking of ${formatCount(board.total, 'player')}. `;
  const description = `${leader}${benchmark}`;
  // An empty board is drawn as the site itself.
  const scene = leaders.length === 0 ? generalScene : { heading: 'Ranking', sentence: leader, rows };
  return { title: 'Ranking', description, scene, links };
}

/** Reads the newest results, for the list of matches. */
export async function readGames(context: Reader): Promise<Subject> {
  const { links, total } = await listResults(context, {}, 50);
  const newest = links[0] === undefined ? '' : ` The newest: ${links[0].text}.`;
  const description = `${formatCount(total, 'public match', 'public matches')} with graphs and replays of every hand.${newest}`;
  return { title: 'Games', description, scene: generalScene, links };
}

const capitalised = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);
