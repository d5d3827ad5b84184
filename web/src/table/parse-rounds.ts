import { type Action, type ActionKind, movesChips, type Pot, type Round } from './game.ts';
import {
  asChips,
  asId,
  asRecord,
  field,
  GameFormatError,
  type JsonRecord,
  listField,
  numericEntries,
  recordField,
} from './json-reading.ts';
import { cleanName } from './names.ts';
import { inlineVerdict } from './parse-verdicts.ts';
import type { SeatLookup } from './seat-lookup.ts';

const MAX_ROUNDS = 16;
const MAX_ACTIONS = 2_000;
const MAX_POTS = 32;

const KINDS = new Map<string, ActionKind>([
  ['FOLD', 'FOLD'],
  ['CHECK', 'CHECK'],
  ['CALL', 'CALL'],
  ['BET', 'BET'],
  ['RAISE', 'RAISE'],
  ['ALL IN', 'ALL IN'],
  ['ALLIN', 'ALL IN'],
]);

type ParseState = {
  total: number;
  street: number;
  pots: Pot[];
  warnings: Set<string>;
  lookup: SeatLookup;
  seats: number;
};

function actionName(raw: unknown): { kind: ActionKind; label: string } {
  const label = cleanName(raw, 'NO ACTION')
    .toUpperCase()
    .replace(/[\s_-]+/g, ' ')
    .slice(0, 24);
  const kind = KINDS.get(label) ?? 'UNKNOWN';
  return { kind, label: kind === 'UNKNOWN' ? label : kind };
}

function readPots(raw: unknown[], state: ParseState): Pot[] {
  return raw.slice(0, MAX_POTS).flatMap((entry, index) => {
    const pot = asRecord(entry);
    const amount = asChips(field(pot, 'amount'));
    if (pot === null || amount === null) return [];
    const eligible = listField(pot, 'eligible_players').map((id) => state.lookup.ofId(asId(id) ?? -1));
    const seats = [...new Set(eligible.filter((seat) => seat !== null))];
    if (eligible.includes(null)) state.warnings.add('A pot names a player who is not at the table.');
    return [{ id: asId(field(pot, 'id')) ?? index, amount, eligible: seats }];
  });
}

function readAction(raw: unknown, where: string, round: number, index: number, state: ParseState): Action {
  const record = asRecord(raw);
  const pid = asId(field(record, 'player'));
  const seat = pid === null ? null : state.lookup.ofPid(pid);
  if (record === null || seat === null) throw new GameFormatError(`${where} is not by a player of the table.`);
  const { kind, label } = actionName(field(record, 'action'));
  if (kind === 'UNKNOWN') state.warnings.add(`'${label}' is not a known action. It is shown but moves no chips.`);
  const amount = asChips(field(record, 'amount') ?? 0);
  if (amount === null || amount < 0) state.warnings.add(`${where} has no valid amount: it counts as 0.`);
  const chips = movesChips(kind) && amount !== null && amount > 0 ? amount : 0;
  state.total += chips;
  state.street += chips;
  const pots = listField(record, 'total_side_pots_after_action');
  // If the log has no pots here, the last known pots are kept as long as they contain all chips.
  if (pots.length > 0) state.pots = readPots(pots, state);
  return {
    seat,
    kind,
    label,
    post: false,
    chips,
    timestampMs: asChips(field(record, 'timestamp')),
    roundPot: asChips(field(record, 'pot_after_action')) ?? state.street,
    totalPot: asChips(field(record, 'total_pot_after_action')) ?? (pots.length > 0 ? sumOf(state.pots) : state.total),
    pots: state.pots,
    adjusted: field(record, 'adjusted') === true,
    verdict: inlineVerdict(record, round, index, seat),
  };
}

function sumOf(pots: readonly Pot[]): number {
  return pots.reduce((sum, pot) => sum + pot.amount, 0);
}

function readBets(record: JsonRecord, actions: readonly Action[], state: ParseState): number[] {
  const bets = Array.from({ length: state.seats }, () => 0);
  const given = recordField(record, 'bets');
  if (given === null) {
    for (const action of actions) bets[action.seat] = (bets[action.seat] ?? 0) + action.chips;
    return bets;
  }
  for (const [pid, raw] of numericEntries(given)) {
    const seat = state.lookup.ofPid(pid);
    if (seat !== null) bets[seat] = Math.max(0, asChips(raw) ?? 0);
  }
  return bets;
}

/** Parses the streets of a hand in order. Adds a sentence to `warnings` for each irregularity. Throws GameFormatError. */
export function parseRounds(rounds: JsonRecord, lookup: SeatLookup, seats: number, warnings: Set<string>): Round[] {
  const entries = numericEntries(rounds);
  if (entries.length > MAX_ROUNDS) throw new GameFormatError(`A hand has at most ${MAX_ROUNDS} rounds.`);
  const state: ParseState = { total: 0, street: 0, pots: [], warnings, lookup, seats };
  return entries.map(([index, raw]) => {
    const record = asRecord(raw);
    if (record === null) throw new GameFormatError(`Round ${index} is not an object.`);
    const sequence = listField(record, 'action_sequence');
    if (sequence.length > MAX_ACTIONS)
      throw new GameFormatError(`Round ${index} has more than ${MAX_ACTIONS} actions.`);
    state.street = 0;
    const actions = sequence.map((entry, position) =>
      readAction(entry, `Action ${position + 1} of round ${index}`, index, position, state),
    );
    const bets = readBets(record, actions, state);
    return { index, pot: asChips(field(record, 'pot')) ?? bets.reduce((sum, bet) => sum + bet, 0), bets, actions };
  });
}
