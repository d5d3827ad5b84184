import type { HandColumns } from '@husky/contracts/types/live/v1/HandColumns';
import type { HandSummary } from '@husky/contracts/types/live/v1/HandSummary';
import type { SearchHandsRequest__Output } from '@husky/contracts/types/live/v1/SearchHandsRequest';
import type { SearchHandsResponse } from '@husky/contracts/types/live/v1/SearchHandsResponse';
import type { Street } from '@husky/holdem/action';
import { BOARD_START } from '@husky/holdem/blinds';
import { type Card, cardCode } from '@husky/holdem/card';
import { describeHand } from '@husky/holdem/evaluate';
import { deckFor } from '@husky/match/deck';
import { STREETS } from '@husky/match/game-data';
import { gameIdOf } from '@husky/match/game-id';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { Context, LiveDataHandlers } from '../context.ts';
import { flagsOf, type HandFilter, netAfter, searchHands as search, seatsOf } from '../domain/hand-index.ts';
import type { Match } from '../domain/match.ts';
import { loadMatch } from '../load-match.ts';
import { type MatchHands, readHands } from '../read-hands.ts';

const maxPageSize = 200;

/** Filters and sorts the readable hands of a match; of a running match, those stored so far. */
export function searchHands(context: Context): LiveDataHandlers['searchHands'] {
  return async (request, call): Promise<SearchHandsResponse> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const filter = filterOf(match, request);
    const { skip, take } = pageOf(request, { most: maxPageSize });
    const played = await readHands(context.db, match);
    const found = search(played.hands, played.series[filter.seat ?? -1], filter);
    return {
      hands: found.slice(skip, skip + take).map((hand) => summaryOf(match, played, hand)),
      total: found.length,
      playerIds: [...match.playerIds],
      matchHands: played.hands.length,
    };
  };
}

function filterOf(match: Match, request: SearchHandsRequest__Output): HandFilter {
  const { sort, net, playerId, street, minPot, descending, allIn, showdown, faults } = request;
  const seat = playerId === '' ? null : match.playerIds.indexOf(playerId);
  if (seat !== null && seat < 0) throw invalid('not-in-match', 'This player does not play in the match.');
  const order = sort === '' ? 'number' : sort;
  if (order !== 'number' && order !== 'pot' && order !== 'net') {
    throw invalid('bad-sort', 'Hands are sorted by number, pot or net.');
  }
  if (net !== '' && net !== 'win' && net !== 'loss') throw invalid('bad-net', 'A net is a win or a loss.');
  if (seat === null && (net !== '' || order === 'net')) {
    throw invalid('no-player', 'Name the player whose net is meant.');
  }
  const streetIndex = street === '' ? null : (STREETS as readonly string[]).indexOf(street);
  if (streetIndex !== null && streetIndex < 0) throw invalid('bad-street', 'A street is preflop, flop, turn or river.');
  return { sort: order, descending, seat, net, allIn, showdown, faults, minPot, street: streetIndex as Street | null };
}

function invalid(reason: string, message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', reason, message);
}

/** Returns the summary of a stored hand. Board and the winner's hand are dealt from the seed. Throws RangeError for a hand not stored. */
export function summaryOf(match: Match, { attempt, hands, series }: MatchHands, number: number): HandSummary {
  const hand = hands[number - 1];
  if (hand === undefined) throw new RangeError(`hand ${number} is not stored`);
  const deck = deckFor(match.seed, number);
  const board: Card[] = [...deck.subarray(BOARD_START, BOARD_START + (hand.street === 0 ? 0 : hand.street + 2))];
  const nets = match.playerIds.map((_, seat) => netAfter(series[seat] ?? [], number));
  const winners = seatsOf(hand.winners).sort((a, b) => (nets[b] ?? 0) - (nets[a] ?? 0) || a - b);
  const [first = 0] = winners;
  return {
    gameId: gameIdOf(match.jobId, attempt, number),
    hand: number,
    board: board.map(cardCode),
    pot: hand.pot,
    street: STREETS[hand.street],
    showdown: hand.showdown,
    allIn: hand.allIn,
    winnerSeats: winners,
    winningHand: hand.showdown ? describeHand([...board, ...deck.subarray(2 * first, 2 * first + 2)]) : '',
    nets,
    faultSeats: seatsOf(hand.faults),
  };
}

/** Returns the index of a match as columns, without nets, which clients get from GetPerformance. */
export function getHandColumns(context: Context): LiveDataHandlers['getHandColumns'] {
  return async (request, call): Promise<HandColumns> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const { attempt, hands } = await readHands(context.db, match);
    return {
      attempt,
      startingStack: match.startingStack,
      stacks: match.stacks,
      playerIds: [...match.playerIds],
      pots: hands.map(({ pot }) => pot),
      flags: hands.map(flagsOf),
      winners: hands.map(({ winners }) => winners),
      faults: hands.map(({ faults }) => faults),
    };
  };
}
