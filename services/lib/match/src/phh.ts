import { actionsOf, type GameData, moneyOf, postsOf, type StreetAction, seatsFromButton } from './game-data.ts';

/**
 * Returns a hand in the Poker Hand History format (PHH 1.0, https://phh.readthedocs.io), as the lines of one TOML table without its header.
 * `number` is the hand's number in the match, `match` the match's id. Faults are comments of actions. A raise that nobody can call is
 * written as the call that it amounts to, because PHH has no such raise; stacks and pots are the same.
 */
export function phhOf(game: GameData, number: number, match: string): string {
  const seats = seatsFromButton(game);
  const { small, big } = game.blinds;
  const posts = postsOf(game);
  const blinds = posts === 2 ? [small, big] : [big];
  const all = actionsOf(game);
  const started = new Date(all[0]?.timestamp ?? 0);
  const fields: Record<string, string> = {
    variant: text('NT'),
    antes: list(seats.map(() => 0)),
    // With two players, PHH lists the big blind's player first, but still the small blind before the big blind.
    blinds_or_straddles: list(seats.map((_, place) => blinds[place] ?? 0)),
    // A call of the whole big blind over a shorter post is a raise in PHH, below the usual minimum.
    min_bet: String((all[posts - 1]?.amount ?? 0) < big ? 1 : big),
    starting_stacks: list(seats.map((seat) => moneyOf(game, 'startingMoney', seat))),
    actions: `[\n${actionLines(game, seats, all)
      .map((line) => `  ${text(line)},\n`)
      .join('')}]`,
    event: text("Husky Hold'em"),
    time: started.toISOString().slice(11, 23),
    time_zone: text('UTC'),
    day: String(started.getUTCDate()),
    month: String(started.getUTCMonth() + 1),
    year: String(started.getUTCFullYear()),
    hand: String(number),
    seats: list(seats.map((seat) => seat + 1)),
    seat_count: String(Object.keys(game.playerNames).length),
    table: text(match),
    players: list(seats.map((seat) => text(game.playerNames[seat] ?? ''))),
    finishing_stacks: list(seats.map((seat) => moneyOf(game, 'finalMoney', seat))),
  };
  return Object.entries(fields)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join('');
}

function actionLines(game: GameData, seats: readonly number[], all: readonly StreetAction[]): string[] {
  const playerOf = (seat: number) => `p${seats.indexOf(seat) + 1}`;
  const stacks = new Map(seats.map((seat) => [seat, moneyOf(game, 'startingMoney', seat)]));
  let bets = new Map<number, number>();
  const betOf = (seat: number) => bets.get(seat) ?? 0;
  const lines = seats.map((seat) => `d dh ${playerOf(seat)} ${(game.playerHands[seat] ?? []).join('')}`);
  const streets = Math.max(0, game.finalBoard.length - 2);
  for (let round = 0; round <= streets; round++) {
    if (round > 0) {
      lines.push(`d db ${game.finalBoard.slice(round === 1 ? 0 : round + 1, round + 2).join('')}`);
      bets = new Map();
    }
    for (const [index, { player, action, amount, verdict }] of all.filter((one) => one.round === round).entries()) {
      const to = betOf(player) + amount;
      const highest = Math.max(...seats.map(betOf));
      const callable = [...stacks].some(([seat, chips]) => seat !== player && chips + betOf(seat) > highest);
      bets.set(player, to);
      stacks.set(player, (stacks.get(player) ?? 0) - amount);
      if (round === 0 && index < postsOf(game)) continue;
      if (action === 'FOLD') stacks.delete(player);
      const played = action === 'FOLD' ? 'f' : to > highest && callable ? `cbr ${to}` : 'cc';
      lines.push(`${playerOf(player)} ${played}${verdict === undefined ? '' : ` # ${verdict}`}`);
    }
  }
  // Players left in `stacks` have not folded.
  if (stacks.size > 1)
    for (const seat of stacks.keys()) lines.push(`${playerOf(seat)} sm ${game.playerHands[seat]?.join('')}`);
  return lines;
}

const list = (values: readonly (string | number)[]) => `[${values.join(', ')}]`;

/** Returns a TOML basic string. JSON's escapes are TOML's, except that TOML also forbids DEL and lone surrogates. */
function text(value: string): string {
  return JSON.stringify(value.toWellFormed()).replaceAll('\u007f', '\\u007f');
}

/** Returns the fields of a PHH table by name; those of several lines as a list of them. */
export function phhFields(table: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  let lines: string[] = [];
  for (const line of table.split('\n')) {
    const [, name, value = ''] = /^(\w+) = (.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      lines = [];
      fields[name] = value === '[' ? lines : value;
    } else if (line !== '') lines.push(line.trim());
  }
  return fields;
}

/** Splits the text of a PHH file into its tables by number. */
export function phhTables(text: string): Map<number, string> {
  const parts = text.split(/^\[(\d+)\]$/m);
  const tables = new Map<number, string>();
  for (let index = 1; index < parts.length; index += 2) tables.set(Number(parts[index]), parts[index + 1] ?? '');
  return tables;
}
