import { cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { deckFor, playerIds } from '@husky/match/deck';
import { RULES_VERSION } from '@husky/match/rules-version';
import { BotTable } from '../bot-table.ts';
import type { Command } from '../command.ts';
import { Conversation, presentAction, standardInput } from '../conversation.ts';

export interface DebugRequest {
  /** Players at the table. The other process runs all of them. */
  readonly seats: number;
  readonly hands: number;
  /** 64 hex digits. */
  readonly seed: string;
  readonly starting_stack: number;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  readonly stacks: 'carry' | 'reset';
}

/** Deals a match to bots of the other process, without clocks. A fault folds, and no bot is disabled. Returns the chips won, by seat. */
export async function debug(
  request: DebugRequest,
  conversation: Conversation,
): Promise<{ hands: number; chips: number[] }> {
  const seed = Buffer.from(request.seed, 'hex');
  const table = new Table({
    rulesVersion: RULES_VERSION,
    players: request.seats,
    startingStack: request.starting_stack,
    blinds: request.blinds,
    stacks: request.stacks,
  });
  const ids = playerIds(seed, request.seats);
  const bots = new BotTable(ids, 'documented', () => true);
  conversation.send({ event: 'match', ids });
  const chips = new Array<number>(request.seats).fill(0);
  while (table.handNumber < request.hands && !table.over) {
    const number = table.handNumber + 1;
    const hand = table.startHand(deckFor(seed, number));
    bots.start(hand);
    conversation.send({ event: 'hand', ...presentHand(number, hand) });
    await playHand(bots, hand, conversation);
    for (let seat = 0; seat < request.seats; seat++) {
      conversation.sendPending(bots, seat, {});
      chips[seat] = (chips[seat] ?? 0) + (hand.deltas[seat] ?? 0);
    }
    conversation.send({ event: 'hand_end', number, board: hand.board.map(cardCode), won: hand.deltas });
    table.finishHand(hand);
  }
  return { hands: table.handNumber, chips };
}

/** The command `debug` with a DebugRequest. The bots' replies come on standard input. */
export const debugCommand: Command = (request) =>
  debug(request as unknown as DebugRequest, new Conversation(standardInput()));

async function playHand(bots: BotTable, hand: Hand, conversation: Conversation): Promise<void> {
  while (hand.actor !== null) {
    const seat = hand.actor;
    const ruling = bots.judge(await conversation.requestReply(bots, hand, {}));
    const { street } = hand;
    bots.apply(ruling);
    const { fault, detail = null } = ruling;
    conversation.send({ event: 'action', seat, street, ...presentAction(ruling), fault, asked: detail });
  }
}

/** Returns the facts of a hand that begins. Cards are empty for seats that are not dealt in; a dead small blind is null. */
export function presentHand(number: number, hand: Hand) {
  return {
    number,
    button: hand.button,
    small_blind: hand.posts === 2 ? { seat: hand.smallBlindSeat, amount: hand.log[0]?.amount ?? 0 } : null,
    big_blind: { seat: hand.bigBlindSeat, amount: hand.log[hand.posts - 1]?.amount ?? 0 },
    stacks: hand.startStacks,
    cards: hand.dealtIn.map((dealt, seat) => (dealt ? hand.holeCards(seat).map(cardCode) : [])),
  };
}
