import { boardCards, type Game, type Pot } from './game.ts';
import { payoutOf } from './payout.ts';
import { enterRound, isLive, isShowdown, type Payment, type Stage, type TableState } from './table-state.ts';

/** Returns the final stacks: those of the log; without them a single remaining player gets all chips. */
function finalStacks(state: TableState, game: Game): number[] {
  const left = state.seats.filter(isLive).length;
  const spent = game.players.reduce(
    (sum, player, seat) => sum + player.startChips - (state.seats[seat]?.stack ?? 0),
    0,
  );
  return state.seats.map((seat, position) => {
    const fallback = left === 1 && isLive(seat) ? seat.stack + spent : seat.stack;
    return game.players[position]?.finalChips ?? fallback;
  });
}

/** Returns the stages after the last action: returned bet, streets of the run-out, pots. */
function stagesAfter(state: TableState, game: Game): { deals: Stage[]; payments: Payment[] } {
  const live = state.seats.map(isLive);
  const totals = state.seats.map((seat, position) => (game.players[position]?.startChips ?? 0) - seat.stack);
  const received = finalStacks(state, game).map((stack, position) => stack - (state.seats[position]?.stack ?? 0));
  const { returned, awards } = payoutOf(totals, live, received, game.buttonSeat);
  const deals: Stage[] = [];
  for (
    let round = state.round + 1;
    live.filter(Boolean).length > 1 && boardCards(round) <= game.board.length;
    round += 1
  ) {
    if (boardCards(round) === boardCards(round - 1)) break;
    deals.push({ kind: 'deal', round });
  }
  const refund: Payment[] = returned === null ? [] : [{ kind: 'return', ...returned }];
  return { deals, payments: [...refund, ...awards.map((award): Payment => ({ kind: 'award', award }))] };
}

/** Takes a returned bet out of the last pots that its seat can win. */
function withoutReturned(pots: readonly Pot[], seat: number, amount: number): Pot[] {
  let left = amount;
  return pots
    .toReversed()
    .map((pot) => {
      const taken = pot.eligible.includes(seat) ? Math.min(left, pot.amount) : 0;
      left -= taken;
      return { ...pot, amount: pot.amount - taken };
    })
    .filter((pot) => pot.amount > 0)
    .toReversed();
}

/** Applies one stage: opens a street, returns a bet or pushes a pot. */
export function applyStage(state: TableState, stage: Stage, game: Game): TableState {
  if (stage.kind === 'deal') return { ...enterRound(state, stage.round, game), action: null, stage };
  const final = finalStacks(state, game);
  const shares = stage.kind === 'return' ? [stage] : stage.award.shares;
  const paidChips = shares.reduce((sum, share) => sum + share.amount, 0);
  const seats = state.seats.map((seat, position) => {
    const amount = shares.find((share) => share.seat === position)?.amount ?? 0;
    if (amount === 0) return seat;
    if (stage.kind === 'return') {
      const streetBet = Math.max(0, seat.streetBet - amount);
      const move = seat.move && {
        ...seat.move,
        chips: Math.max(0, seat.move.chips - amount),
        bet: Math.max(0, seat.move.bet - amount),
      };
      return { ...seat, stack: seat.stack + amount, streetBet, move, returned: amount };
    }
    const won = (final[position] ?? 0) > (game.players[position]?.startChips ?? 0);
    return { ...seat, stack: seat.stack + amount, winnings: seat.winnings + amount, won };
  });
  const after = {
    ...state,
    seats,
    potLeft: state.potLeft - paidChips,
    action: null,
    stage,
    paid: [...state.paid, stage],
  };
  if (stage.kind === 'award') return after;
  return {
    ...after,
    roundPot: Math.max(0, state.roundPot - stage.amount),
    totalPot: state.totalPot - stage.amount,
    pots: withoutReturned(state.pots, stage.seat, stage.amount),
  };
}

function collectBets(state: TableState): TableState {
  return { ...state, roundPot: 0, seats: state.seats.map((seat) => ({ ...seat, streetBet: 0 })) };
}

/** Ends the hand: sets the stacks to the log's final chips and shows the whole board if more than one player is left. */
function finish(state: TableState, game: Game): TableState {
  const final = finalStacks(state, game);
  const seats = state.seats.map((seat, position) => ({ ...seat, stack: final[position] ?? seat.stack }));
  return {
    ...state,
    seats,
    board: isShowdown(state) ? game.board : state.board,
    potLeft: state.paid.length > 0 ? 0 : state.potLeft,
    over: true,
  };
}

/** Returns the states from the last action on: a single one if there is no run-out and at most one pot. */
export function closingStates(last: TableState, game: Game): TableState[] {
  const { deals, payments } = stagesAfter(last, game);
  const settled = payments.reduce((state, stage) => applyStage(state, stage, game), last);
  const pots = payments.filter((stage) => stage.kind === 'award').length;
  if (last.mode === 'round' || last.entries === 0 || (deals.length === 0 && pots <= 1)) {
    return [finish({ ...settled, action: last.action, stage: null }, game)];
  }
  const refund = payments.filter((stage) => stage.kind === 'return');
  const states = [last];
  for (const stage of [...refund, ...deals, ...payments.filter((payment) => payment.kind === 'award')]) {
    const before = states.at(-1) ?? last;
    states.push(applyStage(stage.kind === 'award' ? collectBets(before) : before, stage, game));
  }
  return [...states.slice(0, -1), finish(states.at(-1) ?? last, game)];
}
