import type { HandSummary__Output } from '@husky/contracts/types/live/v1/HandSummary';
import type { Highlight__Output } from '@husky/contracts/types/live/v1/Highlight';

type NameOf = (id: string) => string;

/** Presents a hand of the index; `playerIds` by seat. */
export function presentHand(hand: HandSummary__Output, playerIds: readonly string[], nameOf: NameOf) {
  const nameAt = (seat: number) => nameOf(playerIds[seat] ?? '');
  return {
    game_id: hand.gameId,
    hand_number: hand.hand,
    board: hand.board,
    pot: hand.pot,
    street: hand.street,
    showdown: hand.showdown,
    all_in: hand.allIn,
    winners: hand.winnerSeats.map(nameAt),
    winning_hand: hand.winningHand || null,
    nets: hand.nets,
    faults: hand.faultSeats.map(nameAt),
  };
}

export function presentHighlight(highlight: Highlight__Output, nameOf: NameOf) {
  const { hand, playerIds, jobId, swing, before, after } = highlight;
  if (hand === null) throw new Error(`live-data returned a highlight of match ${jobId} without its hand`);
  const shown = presentHand(hand, playerIds, nameOf);
  const player = nameOf(playerIds[highlight.seat] ?? '');
  return {
    ...shown,
    job_id: jobId,
    players: playerIds.map(nameOf),
    swing,
    player,
    swing_street: highlight.street || null,
    equity_before: before,
    equity_after: after,
    winner: shown.winners[0] ?? null,
    played_at: highlight.playedAt,
    sentence: sentenceOf(highlight, hand, shown.winners, player),
  };
}

/** Describes a highlight: "ann won $29,632 with two pair, queens and jacks: ann's equity rose from 4 % to 100 % on the river." */
function sentenceOf(
  { street, before, after }: Highlight__Output,
  { pot, winningHand }: HandSummary__Output,
  winners: readonly string[],
  player: string,
): string {
  const verb = winners.length === 1 ? 'won' : 'shared';
  const cards = winningHand === '' ? 'without a showdown' : `with ${winningHand.toLowerCase()}`;
  const result = `${winners.join(' and ')} ${verb} $${pot.toLocaleString('en-US')} ${cards}`;
  if (street === '') return `${result}.`;
  const change = after > before ? 'rose' : 'fell';
  return `${result}: ${player}'s equity ${change} from ${percent(before)} to ${percent(after)} on the ${street}.`;
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1 %' : `${Math.round(share * 100)} %`;
}
