import { cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { faultNamed } from '@husky/match/fault';
import type { Judgement } from '@husky/runner/play/judge';
import { BotTable } from '../bot-table.ts';
import type { Command } from '../command.ts';
import { Conversation, presentAction, standardInput } from '../conversation.ts';
import { openMatchFile } from '../match-file.ts';
import { type RecordedAction, type RecordedHand, RecordedMatch } from '../recorded-match.ts';
import { KitError } from '../wire.ts';
import { presentHand } from './debug.ts';

export interface RepeatRequest {
  readonly path: string;
  readonly hand: number;
  /** From 0. */
  readonly seat: number;
  /** Shows the bot the hands before it too; its replies there do not count. */
  readonly history: boolean;
  /** Goes on with the recorded action after a different reply. */
  readonly keep_going: boolean;
}

export interface Repetition {
  readonly decisions: number;
  /** Decisions in which the bot acted differently. */
  readonly different: number;
  /** False: the rest of the hand was not shown to the bot. */
  readonly complete: boolean;
}

/**
 * Repeats one hand of a match file with a bot, which gets the recorded cards and the recorded actions of the others. Compares each reply
 * with the recorded action, and plays the recorded one. Throws KitError.
 */
export async function repeatHand(request: RepeatRequest, conversation: Conversation): Promise<Repetition> {
  const file = await openMatchFile(request.path);
  const { players, hands } = file.manifest;
  if (request.seat >= players.length) throw new KitError(2, `${file.name} has seats 1 to ${players.length}.`);
  if (request.hand < 1 || request.hand > hands) throw new KitError(2, `${file.name} has hands 1 to ${hands}.`);
  const match = new RecordedMatch(file);
  const bots = new BotTable(match.ids, match.profile, (seat) => seat === request.seat);
  conversation.send({
    event: 'match',
    players: players.map(({ username }) => username),
    has_seed: match.hasSeed,
    ids: match.ids,
  });
  for await (const recorded of match.hands()) {
    try {
      if (recorded.number === request.hand) return await repeat(recorded, request, bots, conversation);
      if (request.history) await show(recorded, request.seat, bots, conversation);
      else
        for (const { kind, amount } of recorded.actions.slice(recorded.hand.log.length))
          recorded.hand.act(kind, amount);
    } catch (error) {
      // The engine's error for an action that the rules do not allow.
      if (!(error instanceof RangeError)) throw error;
      throw new KitError(
        2,
        `Hand ${recorded.number} of ${file.name} cannot be dealt: ${error.message}. The file was changed.`,
      );
    }
  }
  throw new KitError(2, `${file.name} has no hand ${request.hand}.`);
}

/** The command `repeat-hand` with a RepeatRequest. The bot's replies come on standard input. */
export const repeatHandCommand: Command = (request) =>
  repeatHand(request as unknown as RepeatRequest, new Conversation(standardInput()));

/** Shows the bot a hand before the repeated one. */
async function show(
  { hand, actions }: RecordedHand,
  seat: number,
  bots: BotTable,
  conversation: Conversation,
): Promise<void> {
  bots.start(hand);
  for (const action of actions.slice(hand.log.length)) {
    if (action.seat === seat) await conversation.requestReply(bots, hand, { quiet: true });
    bots.apply({ ...action, adjusted: false });
  }
  conversation.sendPending(bots, seat, { quiet: true });
}

async function repeat(
  recorded: RecordedHand,
  { seat, keep_going: keepGoing }: RepeatRequest,
  bots: BotTable,
  conversation: Conversation,
): Promise<Repetition> {
  const { number, hand, actions } = recorded;
  if (hand.dealtIn[seat] !== true) throw new KitError(2, `Seat ${seat + 1} had no chips left before hand ${number}.`);
  const sums = { decisions: 0, different: 0 };
  conversation.send({ event: 'hand', ...presentHand(number, hand) });
  bots.start(hand);
  for (const action of actions.slice(hand.log.length)) {
    const { street } = hand;
    if (action.seat === seat) {
      const ruling = bots.judge(await conversation.requestReply(bots, hand, {}));
      const same = isSame(hand, ruling, action);
      sums.decisions += 1;
      sums.different += same ? 0 : 1;
      conversation.send({
        event: 'compared',
        same,
        street,
        now: presentRuling(ruling),
        match: presentRecorded(action),
      });
      if (!same && !keepGoing) return { ...sums, complete: false };
    } else
      conversation.send({
        event: 'action',
        seat: action.seat,
        street,
        board: hand.board.map(cardCode),
        ...presentRecorded(action),
      });
    bots.apply({ ...action, adjusted: action.verdict === 'adjusted' });
  }
  conversation.sendPending(bots, seat, {});
  conversation.send({ event: 'hand_end', number, board: hand.board.map(cardCode), won: hand.deltas });
  return { ...sums, complete: true };
}

/** Returns whether a ruling is the recorded action with the same fault: a fold after a fault differs from the bot's own fold. */
function isSame(hand: Hand, { kind, amount, fault }: Judgement, recorded: RecordedAction): boolean {
  const recordedFault = recorded.verdict === null ? undefined : faultNamed(recorded.verdict);
  return (
    hand.actor === recorded.seat &&
    kind === recorded.kind &&
    amount === recorded.amount &&
    (fault ?? undefined) === recordedFault
  );
}

const presentRuling = ({ fault, detail, ...action }: Judgement) => ({
  ...presentAction(action),
  verdict: fault ?? (action.adjusted ? 'adjusted' : null),
  asked: detail ?? null,
});

const presentRecorded = (action: RecordedAction) => ({ ...presentAction(action), verdict: action.verdict });
