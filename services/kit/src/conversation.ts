import { createInterface } from 'node:readline';
import { actionNames } from '@husky/holdem/action';
import { cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { STREETS } from '@husky/match/game-data';
import type { BotTable } from './bot-table.ts';
import { KitError, send } from './wire.ts';

type Event = Parameters<typeof send>[0];

/** The exchange with the process that runs the bots: sends events, and reads one line of the seat protocol for each question. */
export class Conversation {
  readonly #replies: AsyncIterator<string>;

  constructor(replies: AsyncIterator<string>) {
    this.#replies = replies;
  }

  /** Sends a question to the player whose turn it is and returns the reply line. Throws KitError when the other process has ended. */
  async requestReply(table: BotTable, hand: Hand, facts: object): Promise<string> {
    const { seat, events } = table.question();
    send({ event: 'ask', seat, events: `[${events}]`, ...situationOf(hand), ...facts });
    const reply = await this.#replies.next();
    if (reply.done === true) throw new KitError(2, 'The process that runs the bots has ended.');
    return reply.value;
  }

  /** Sends the events that wait for a seat, if there are any. */
  sendPending(table: BotTable, seat: number, facts: object): void {
    const events = table.pending(seat);
    if (events !== '') send({ event: 'tell', seat, events: `[${events.slice(0, -1)}]`, ...facts });
  }

  send(event: Event): void {
    send(event);
  }
}

/** Returns an iterator over the lines of standard input after the request. */
export function standardInput(): AsyncIterator<string> {
  return createInterface({ input: process.stdin })[Symbol.asyncIterator]();
}

/** Returns the facts that a reader needs to follow a decision. */
function situationOf(hand: Hand) {
  const { toCall } = hand.options();
  const seat = hand.actor ?? 0;
  return {
    street: STREETS[hand.street],
    board: hand.board.map(cardCode),
    pot: hand.totals.reduce((sum, chips) => sum + chips, 0),
    to_call: toCall,
    stack: hand.stacks[seat] ?? 0,
  };
}

/** Returns an action as users read it: its name and the chips that it adds. */
export function presentAction({ kind, amount }: { kind: keyof typeof actionNames; amount: number }) {
  return { action: actionNames[kind], amount };
}
