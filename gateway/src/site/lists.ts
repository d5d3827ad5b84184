import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import { readBatchNumbers } from '../batch-numbers.ts';
import type { Context } from '../context.ts';
import { formatChange, formatCount, joinNames, winnersOf, winSentence } from './words.ts';

export interface Link {
  readonly href: string;
  readonly text: string;
}

export type Reader = Pick<Context, 'liveData' | 'simulation' | 'leaderboard' | 'auth' | 'names' | 'eventSettings'>;

/** The page waits for each call, so the deadline is short. */
export const asVisitor = { caller: { kind: 'anonymous' }, timeoutMs: 1500 } as const;

export const rowsListed = 20;

/** Returns the board of the home page. */
export async function readBoard(context: Reader, pageSize: number) {
  const preferredTag = (await context.eventSettings.current())?.homeBoard ?? '';
  return context.leaderboard.getBoard({ tag: '', preferredTag, page: 1, pageSize }, asVisitor);
}

/** Lists the newest public matches, each with its result. */
export async function listResults(
  context: Reader,
  filter: { readonly batchId?: string; readonly playerId?: string },
  pageSize = rowsListed,
): Promise<{ readonly links: readonly Link[]; readonly total: number }> {
  const request = { publicOnly: true, order: 'newest', page: 1, pageSize, ...filter };
  const { matches, total } = await context.liveData.listMatches(request, asVisitor);
  const [nameOf, numbers] = await Promise.all([
    context.names.of(matches.flatMap(({ playerIds }) => playerIds)),
    readBatchNumbers(matches, context),
  ]);
  const linkOf = (match: MatchItem__Output) => ({
    href: `/games/${match.jobId}`,
    text: `${matchTitle(match.jobId, match.gameNumber, numbers.get(match.batchId))}: ${matchSentence(match, nameOf)}`,
  });
  return { links: matches.map(linkOf), total };
}

export function matchTitle(jobId: string, gameNumber: number, batchNumber: number | undefined): string {
  const which = `Match ${gameNumber > 0 ? gameNumber : jobId.slice(0, 8)}`;
  return batchNumber === undefined ? which : `${which} of batch ${batchNumber}`;
}

type Played = Pick<MatchItem__Output, 'playerIds' | 'deltas' | 'hands' | 'status'>;

export function matchSentence({ playerIds, deltas, hands, status }: Played, nameOf: (id: string) => string): string {
  const seats = playerIds.map((id, seat) => ({ name: nameOf(id), delta: deltas[seat] ?? 0 }));
  const leaders = winnersOf(seats);
  const [first] = leaders;
  if (status !== 'Running') return `${winSentence(seats)} in ${formatCount(hands, 'hand')}`;
  if (first === undefined) return 'Live: the match has begun';
  return `Live: ${leadSentence(leaders)} after ${formatCount(hands, 'hand')}`;
}

/** Formats who leads with how much; the leaders have the same result. */
export function leadSentence(leaders: readonly { readonly name: string; readonly delta: number }[]): string {
  const verb = leaders.length === 1 ? 'leads' : 'lead';
  return `${joinNames(leaders.map(({ name }) => name))} ${verb} with ${formatChange(leaders[0]?.delta ?? 0)}`;
}
