import { type Action, type ActionKind, movesChips, type Pot, type Round, type Verdict } from './game.ts';
import { cleanName } from './names.ts';

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
    timestampMs: timeOf(field(record, 'timestamp')),
    roundPot: asChips(field(record, 'pot_after_action')) ?? state.street,
    totalPot: asChips(field(record, 'total_pot_after_action')) ?? (pots.length > 0 ? sumOf(state.pots) : state.total),
    pots: state.pots,
    adjusted: field(record, 'adjusted') === true,
    verdict: inlineVerdict(record, round, index, seat),
  };
}

const timeOf = (value: unknown): number | null =>
  typeof value === 'number' && Math.abs(value) <= 8.64e15 ? value : null;

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

const MAX_VERDICTS = 500;

/** Parses the verdict inside an action entry: `verdict` as text or as {code, text}, and `reason` in addition to it or instead. */
function inlineVerdict(record: JsonRecord, round: number, action: number, seat: number): Verdict | null {
  const raw = field(record, 'verdict');
  const reason = field(record, 'reason');
  const nested = asRecord(raw);
  if (nested !== null) {
    const code = cleanName(field(nested, 'code'), 'fault');
    return { round, action, seat, code, text: cleanName(field(nested, 'text') ?? reason, code) };
  }
  if (typeof raw === 'string' && raw !== '')
    return { round, action, seat, code: cleanName(raw, 'fault'), text: cleanName(reason, raw) };
  if (typeof reason === 'string' && reason !== '')
    return { round, action, seat, code: 'note', text: cleanName(reason, 'note') };
  return null;
}

/** Parses the optional top-level list `verdicts` of {round, index, seat, code, text}; `seat` is a pid. */
export function parseVerdicts(raw: unknown, lookup: SeatLookup): Verdict[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_VERDICTS).flatMap((entry) => {
    const record = asRecord(entry);
    if (record === null) return [];
    const code = cleanName(field(record, 'code'), 'fault');
    const pid = asId(field(record, 'seat'));
    return [
      {
        round: asId(field(record, 'round')) ?? 0,
        action: asId(field(record, 'index')),
        seat: pid === null ? null : lookup.ofPid(pid),
        code,
        text: cleanName(field(record, 'text'), code),
      },
    ];
  });
}

/** Thrown if a file is not a valid game; the message is a sentence for the user. */
export class GameFormatError extends Error {
  override readonly name = 'GameFormatError';
}

export type JsonRecord = Record<string, unknown>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

/** Returns an own property of the record; inherited properties such as '__proto__' are not read. */
export function field(record: JsonRecord | null, name: string): unknown {
  return record !== null && Object.hasOwn(record, name) ? record[name] : undefined;
}

export function recordField(record: JsonRecord | null, name: string): JsonRecord | null {
  return asRecord(field(record, name));
}

export function listField(record: JsonRecord | null, name: string): unknown[] {
  const value = field(record, name);
  return Array.isArray(value) ? value : [];
}

const MAX_CHIPS = 1e12;

/** Returns the value if it is a finite amount of chips of at most 1e12, else null. */
export function asChips(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= MAX_CHIPS ? value : null;
}

/** Parses a non-negative integer of at most ten digits, given as number or text; null for anything else. */
export function asId(value: unknown): number | null {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < 1e10 ? value : null;
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : null;
}

/** Returns the entries with numeric keys, sorted by key. Entries with other keys are left out. */
export function numericEntries(record: JsonRecord | null): [number, unknown][] {
  if (record === null) return [];
  return Object.entries(record)
    .map(([key, value]): [number | null, unknown] => [asId(key), value])
    .filter((entry): entry is [number, unknown] => entry[0] !== null)
    .sort((a, b) => a[0] - b[0]);
}

/**
 * Translates a log's two numberings to seats. A player's pid is the key in player, bets, actions, playerNames, playerHands
 * and top-level sidePots; the id, used in eligible_players, playerMoney and the mappings, is the pid plus one
 * (docs/game-data.md). Files that use pids everywhere are supported too.
 */
export type SeatLookup = {
  ofPid: (pid: number) => number | null;
  ofId: (id: number) => number | null;
};

/** Creates the lookup. `ids` are all values found in fields that should contain ids; the numbering is detected from them. */
export function seatLookup(pids: readonly number[], ids: Iterable<number>): SeatLookup {
  const seats = new Map(pids.map((pid, seat) => [pid, seat]));
  const seen = [...ids];
  const hits = (offset: number) => seen.filter((id) => seats.has(id - offset)).length;
  const offset = hits(0) > hits(1) ? 0 : 1;
  return {
    ofPid: (pid) => seats.get(pid) ?? null,
    ofId: (id) => seats.get(id - offset) ?? null,
  };
}
