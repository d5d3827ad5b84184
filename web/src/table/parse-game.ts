import { type Action, type CardCode, type Game, type Player, type Round, UNKNOWN_CARD } from './game.ts';
import { cleanName } from './names.ts';
import {
  asChips,
  asId,
  asRecord,
  field,
  GameFormatError,
  type JsonRecord,
  listField,
  numericEntries,
  parseRounds,
  parseVerdicts,
  recordField,
  type SeatLookup,
  seatLookup,
} from './parse-rounds.ts';

export const INVALID_FORMAT = 'Invalid game data format. Please check the JSON structure.';
export const INVALID_JSON = 'Invalid JSON file. Please check the file format.';
export const NOT_A_JSON_FILE = 'Please upload a valid JSON file.';
/** Larger files are not read. The log of a hand has tens of kilobytes. */
export const MAX_LOG_BYTES = 8 * 1024 * 1024;

const DEFAULT_CHIPS = 10_000;
const MIN_PLAYERS = 2;
const MAX_PLAYERS = 6;
const MAX_BOARD_CARDS = 5;
const CARD = /^(10|[2-9TJQKA])([hdcs])$/i;

/** `error` is one of the texts above; `detail` is the exact cause, or ''. */
export type ParseResult = { ok: true; game: Game } | { ok: false; error: string; detail: string };

function readCard(value: unknown): CardCode {
  const match = typeof value === 'string' ? CARD.exec(value) : null;
  if (match === null) return UNKNOWN_CARD;
  const rank = match[1] === '10' ? 'T' : (match[1] ?? '').toUpperCase();
  return `${rank}${(match[2] ?? '').toLowerCase()}`;
}

/**
 * Returns the pids in seat order. A log with a button numbers the seats clockwise from 0, so everybody keeps the seat in all
 * hands of a match. Otherwise: by first action in round 0, then those who never acted, in ascending order.
 */
function seatOrder(pids: readonly number[], rounds: JsonRecord, button: number | null): number[] {
  if (button !== null && pids.includes(button) && pids.every((pid) => pid < pids.length)) return [...pids];
  const opening = listField(recordField(rounds, '0'), 'action_sequence');
  const acted = opening.map((entry) => asId(field(asRecord(entry), 'player'))).filter((pid) => pid !== null);
  return [...new Set([...acted.filter((pid) => pids.includes(pid)), ...pids])];
}

function occurringIds(data: JsonRecord): Set<number> {
  const money = recordField(data, 'playerMoney');
  const ids = ['startingMoney', 'finalMoney'].flatMap((name) =>
    numericEntries(recordField(money, name)).map(([id]) => id),
  );
  const named = numericEntries(recordField(data, 'playerIdToUsername')).map(([id]) => id);
  return new Set([...ids, ...named, ...eligibleIds(data)]);
}

function eligibleIds(data: JsonRecord): number[] {
  return numericEntries(recordField(data, 'rounds')).flatMap(([, round]) =>
    listField(asRecord(round), 'action_sequence')
      .slice(0, 50)
      .flatMap((entry) => listField(asRecord(entry), 'total_side_pots_after_action'))
      .flatMap((pot) => listField(asRecord(pot), 'eligible_players'))
      .map(asId)
      .filter((id) => id !== null),
  );
}

function bySeat(record: JsonRecord | null, lookup: SeatLookup): Map<number, unknown> {
  const found = numericEntries(record).map(([id, value]): [number | null, unknown] => [lookup.ofId(id), value]);
  return new Map(found.filter((entry): entry is [number, unknown] => entry[0] !== null));
}

function readUsernames(data: JsonRecord, lookup: SeatLookup): Map<number, unknown> {
  const names = bySeat(recordField(data, 'playerIdToUsername'), lookup);
  const reversed = recordField(data, 'usernameMapping');
  for (const [name, id] of Object.entries(reversed ?? {})) {
    const seat = lookup.ofId(asId(id) ?? -1);
    if (seat !== null && !names.has(seat)) names.set(seat, name);
  }
  return names;
}

function readPlayers(data: JsonRecord, pids: readonly number[], lookup: SeatLookup): Player[] {
  const money = recordField(data, 'playerMoney');
  const start = bySeat(recordField(money, 'startingMoney'), lookup);
  const final = bySeat(recordField(money, 'finalMoney'), lookup);
  const delta = bySeat(recordField(money, 'thisGameDelta') ?? recordField(money, 'gameScores'), lookup);
  const usernames = readUsernames(data, lookup);
  const names = new Map(numericEntries(recordField(data, 'playerNames')));
  const hands = new Map(numericEntries(recordField(data, 'playerHands')));
  const initialChips = asChips(field(money, 'initialAmount')) ?? DEFAULT_CHIPS;
  return pids.map((pid, seat) => {
    const startChips = asChips(start.get(seat)) ?? initialChips;
    const change = asChips(delta.get(seat));
    const hand = hands.get(pid);
    return {
      pid,
      name: cleanName(usernames.get(seat) ?? names.get(pid), `player${pid + 1}`),
      startChips,
      finalChips: asChips(final.get(seat)) ?? (change === null ? null : startChips + change),
      cards: Array.isArray(hand) ? hand.slice(0, 2).map(readCard) : [],
    };
  });
}

function readBlinds(data: JsonRecord): Game['blinds'] {
  const blinds = recordField(data, 'blinds');
  const small = asChips(field(blinds, 'small'));
  const big = asChips(field(blinds, 'big'));
  return small === null || big === null ? null : { small, big };
}

/** Returns whether an opening action posts a blind: the amount of the log, or less if the player is all-in with it. */
function isPost({ kind, chips }: Action, amount: number | undefined): boolean {
  if (chips === 0 || (kind !== 'RAISE' && kind !== 'BET' && kind !== 'ALL IN')) return false;
  return amount === undefined || chips === amount || (kind === 'ALL IN' && chips < amount);
}

/**
 * Marks the posted blinds, which engines log as the first two raises of round 0, or as the first one if our log says that nobody posted the
 * small blind. Other openings (a check, a call) have no posts.
 */
function markPosts(
  rounds: Round[],
  blinds: Game['blinds'],
  isSmallBlindDead: boolean,
): Pick<Game, 'rounds' | 'smallBlindSeat' | 'bigBlindSeat'> {
  const opening = rounds.find((round) => round.index === 0)?.actions ?? [];
  const [small, big] = isSmallBlindDead ? [null, opening[0]] : opening;
  const none = { rounds, smallBlindSeat: null, bigBlindSeat: null };
  if (small === undefined || big === undefined || small?.seat === big.seat) return none;
  if ((small !== null && !isPost(small, blinds?.small)) || !isPost(big, blinds?.big)) return none;
  const post = (action: Action, blind: string): Action => {
    const label = `posts ${blind}${action.kind === 'ALL IN' ? ' (all-in)' : ''}`;
    return { ...action, label, post: true };
  };
  const marked = rounds.map((round) =>
    round.index === 0
      ? {
          ...round,
          actions: [
            ...(small === null ? [] : [post(small, 'small blind')]),
            post(big, 'big blind'),
            ...round.actions.slice(small === null ? 1 : 2),
          ],
        }
      : round,
  );
  return { rounds: marked, smallBlindSeat: small?.seat ?? null, bigBlindSeat: big.seat };
}

function checkMoney(players: readonly Player[], warnings: Set<string>): void {
  if (players.some((player) => player.finalChips === null)) {
    warnings.add('This log does not say how the hand ended.');
    return;
  }
  const change = players.reduce((sum, player) => sum + (player.finalChips ?? 0) - player.startChips, 0);
  if (Math.abs(change) > 0.005)
    warnings.add(`The players' chips do not add up: ${change > 0 ? 'gained' : 'lost'} ${Math.abs(change)}.`);
}

function readGame(data: JsonRecord): Game {
  const rounds = recordField(data, 'rounds');
  const names = recordField(data, 'playerNames');
  const board = field(data, 'finalBoard');
  if (rounds === null) throw new GameFormatError("'rounds' must be an object.");
  if (names === null) throw new GameFormatError("'playerNames' must be an object.");
  if (!Array.isArray(board)) throw new GameFormatError("'finalBoard' must be a list.");
  const keys = Object.keys(names);
  if (keys.length < MIN_PLAYERS || keys.length > MAX_PLAYERS) {
    throw new GameFormatError(`Invalid number of players: ${keys.length}. Must be between 2-6 players.`);
  }
  const numbers = [...new Set(keys.map(asId))];
  if (numbers.includes(null) || numbers.length !== keys.length)
    throw new GameFormatError("The keys of 'playerNames' must be whole numbers.");
  const button = asId(field(data, 'button'));
  const pids = seatOrder(
    numbers.filter((pid) => pid !== null).sort((a, b) => a - b),
    rounds,
    button,
  );
  const lookup = seatLookup(pids, occurringIds(data));
  const warnings = new Set<string>();
  const parsed = parseRounds(rounds, lookup, pids.length, warnings);
  const players = readPlayers(data, pids, lookup);
  const blinds = readBlinds(data);
  if (board.length > MAX_BOARD_CARDS) warnings.add('The board has more than five cards: the first five are shown.');
  checkMoney(players, warnings);
  const gameId = field(data, 'gameId');
  return {
    gameId: typeof gameId === 'string' ? gameId.slice(0, 100) : null,
    players,
    ...markPosts(parsed, blinds, field(data, 'smallBlindSeat') === null),
    board: board.slice(0, MAX_BOARD_CARDS).map(readCard),
    blinds,
    buttonSeat: lookup.ofPid(button ?? -1),
    verdicts: parseVerdicts(field(data, 'verdicts'), lookup),
    warnings: [...warnings],
  };
}

/** Parses the log of a hand as engines write it, plain or inside `game_data`. Does not throw on invalid data. */
export function parseGame(value: unknown): ParseResult {
  const outer = asRecord(value);
  const data = recordField(outer, 'game_data') ?? outer;
  if (data === null) return { ok: false, error: INVALID_FORMAT, detail: 'The file does not hold an object.' };
  try {
    return { ok: true, game: readGame(data) };
  } catch (problem) {
    if (!(problem instanceof GameFormatError)) throw problem;
    return { ok: false, error: INVALID_FORMAT, detail: problem.message };
  }
}

/** Parses the text of a file and calls `parseGame`. */
export function parseGameText(text: string): ParseResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (problem) {
    return { ok: false, error: INVALID_JSON, detail: problem instanceof Error ? problem.message : '' };
  }
  return parseGame(value);
}
