import { sumBlocks } from '@husky/estimate/match-sums';
import type { MatchSums } from '@husky/estimate/standings';
import { parseStacks } from '@husky/match/stacks';
import type { Row } from './archive.ts';
import type { MatchTables } from './match-tables.ts';

/** Returns the sums of a match from its tables, from which standings are computed. */
export function sumsOf(match: Row, { results, hands, hand_players: players }: MatchTables): MatchSums {
  const zeros = () => results.map(() => new Array<number>(hands.length).fill(0));
  const [nets, adjusted] = [zeros(), zeros()];
  for (const { hand, seat, net, adjusted_net: adjustedNet } of players) {
    const [ofSeat, ofAdjusted] = [nets[Number(seat) - 1], adjusted[Number(seat) - 1]];
    if (ofSeat) ofSeat[Number(hand) - 1] = Number(net);
    if (ofAdjusted) ofAdjusted[Number(hand) - 1] = Number(adjustedNet);
  }
  const bigBlinds: number[] = [];
  for (const { hand, big_blind: bigBlind } of hands) bigBlinds[Number(hand) - 1] = Number(bigBlind);
  return {
    seed: String(match.seed ?? match.deal_set),
    players: results.toSorted((a, b) => Number(a.seat) - Number(b.seat)).map(({ user_id }) => String(user_id)),
    stacks: parseStacks(String(match.stacks)),
    startingStack: Number(match.starting_stack),
    bigBlind: Number(match.big_blind),
    blocks: sumBlocks(nets, adjusted, bigBlinds, Number(match.num_rounds)),
  };
}
