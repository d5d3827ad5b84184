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
  /** The hands before are shown to the bot, too; its answers there do not count. */
  readonly history: boolean;
  /** Goes on with the recorded action after a different answer. */
  readonly keep_going: boolean;
}

export interface Repeated {
  readonly decisions: number;
  /** Decisions in which the bot acted differently. */
  readonly different: number;
  /** False: the rest of the hand was not shown to the bot. */
  readonly complete: boolean;
}

/**
 * Shows one hand of a match file to a bot: the recorded cards and actions of the others, with the arguments of the match. Compares each
 * answer with the recorded action, and plays the recorded one. Throws KitError.
 */
export async function repeatHand(request: RepeatRequest, talk: Conversation): Promise<Repeated> {
  const file = await openMatchFile(request.path);
  const { players, hands } = file.manifest;
  if (request.seat >= players.length) throw new KitError(2, `${file.name} has seats 1 to ${players.length}.`);
  if (request.hand < 1 || request.hand > hands) throw new KitError(2, `${file.name} has hands 1 to ${hands}.`);
  const match = new RecordedMatch(file);
  const bots = new BotTable(match.ids, match.profile, (seat) => seat === request.seat);
  talk.say({
    event: 'match',
    players: players.map(({ username }) => username),
    has_seed: match.hasSeed,
    ids: match.ids,
  });
  for await (const recorded of match.hands()) {
    try {
      if (recorded.number === request.hand) return await repeat(recorded, request, bots, talk);
      if (request.history) await show(recorded, request.seat, bots, talk);
      else
        for (const { kind, amount } of recorded.actions.slice(recorded.hand.log.length))
          recorded.hand.act(kind, amount);
    } catch (error) {
      // The engine refuses an action that the rules do not allow.
      if (!(error instanceof RangeError)) throw error;
      throw new KitError(
        2,
        `Hand ${recorded.number} of ${file.name} cannot be dealt: ${error.message}. The file was changed.`,
      );
    }
  }
  throw new KitError(2, `${file.name} has no hand ${request.hand}.`);
}

/** The command `repeat-hand`: a RepeatRequest. The bot answers on standard input. */
export const repeatHandCommand: Command = (request) =>
  repeatHand(request as unknown as RepeatRequest, new Conversation(standardInput()));

/** Shows a hand before the repeated one to the bot. */
async function show({ hand, actions }: RecordedHand, seat: number, bots: BotTable, talk: Conversation): Promise<void> {
  bots.start(hand);
  for (const action of actions.slice(hand.log.length)) {
    if (action.seat === seat) await talk.ask(bots, hand, { quiet: true });
    bots.apply({ ...action, adjusted: false });
  }
  talk.tell(bots, seat, { quiet: true });
}

async function repeat(
  recorded: RecordedHand,
  { seat, keep_going: keepGoing }: RepeatRequest,
  bots: BotTable,
  talk: Conversation,
): Promise<Repeated> {
  const { number, hand, actions } = recorded;
  if (hand.dealtIn[seat] !== true) throw new KitError(2, `Seat ${seat + 1} had no chips left before hand ${number}.`);
  const sums = { decisions: 0, different: 0 };
  talk.say({ event: 'hand', ...presentHand(number, hand) });
  bots.start(hand);
  for (const action of actions.slice(hand.log.length)) {
    const { street } = hand;
    if (action.seat === seat) {
      const ruling = bots.judge(await talk.ask(bots, hand, {}));
      const same = isSame(hand, ruling, action);
      sums.decisions += 1;
      sums.different += same ? 0 : 1;
      talk.say({ event: 'compared', same, street, now: presentRuling(ruling), match: presentRecorded(action) });
      if (!same && !keepGoing) return { ...sums, complete: false };
    } else
      talk.say({
        event: 'action',
        seat: action.seat,
        street,
        board: hand.board.map(cardCode),
        ...presentRecorded(action),
      });
    bots.apply({ ...action, adjusted: action.verdict === 'adjusted' });
  }
  talk.tell(bots, seat, {});
  talk.say({ event: 'hand_end', number, board: hand.board.map(cardCode), won: hand.deltas });
  return { ...sums, complete: true };
}

/** True if the ruling plays the recorded action for the same reason: a fold after a fault is another thing than a fold. */
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
