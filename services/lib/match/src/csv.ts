import { actionsOf, type GameData, moneyOf, STREETS, seatsFromButton } from './game-data.ts';

export const csvHeader = [
  'job_id',
  'hand',
  'started_at',
  'small_blind',
  'big_blind',
  'button_seat',
  'board',
  'seat',
  'player',
  'cards',
  'start_stack',
  'end_stack',
  'net',
  ...STREETS,
  'folded',
  'faults',
  'small_blind_seat',
  'big_blind_seat',
];

/** Formats a hand as a row for each player, clockwise from the seat after the button. Seats count from 1. */
export function csvRows(game: GameData, hand: number): string {
  const actions = actionsOf(game);
  const startedAt = new Date(actions[0]?.timestamp ?? 0).toISOString();
  const rows = seatsFromButton(game).map((seat) => {
    const own = actions.filter(({ player }) => player === seat);
    const on = (street: number) =>
      own
        .filter(({ round }) => round === street)
        .map(({ action, amount }) => (amount > 0 ? `${action} ${amount}` : action))
        .join('; ');
    const start = moneyOf(game, 'startingMoney', seat);
    const end = moneyOf(game, 'finalMoney', seat);
    return [
      game.gameId,
      hand,
      startedAt,
      game.blinds.small,
      game.blinds.big,
      game.button + 1,
      game.finalBoard.join(' '),
      seat + 1,
      game.playerNames[seat],
      game.playerHands[seat]?.join(' '),
      start,
      end,
      end - start,
      ...STREETS.map((_, street) => on(street)),
      own.some(({ action }) => action === 'FOLD') ? 1 : 0,
      own.flatMap(({ verdict }) => verdict ?? []).join('; '),
      game.smallBlindSeat == null ? '' : game.smallBlindSeat + 1,
      game.bigBlindSeat === undefined ? '' : game.bigBlindSeat + 1,
    ];
  });
  return rows.map((row) => csvLine(row)).join('');
}

/**
 * Formats a line of CSV (RFC 4180): texts are quoted, numbers are not, null is an empty cell. Texts keep their form, so that programs can
 * join files by names; with `spreadsheet` one that a spreadsheet would evaluate as a formula gets an apostrophe.
 */
export function csvLine(cells: readonly unknown[], { spreadsheet = false } = {}): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell, spreadsheet))).join(',')}\r\n`;
}

/** Splits a line that `csvLine` wrote into its cells, without quotes. */
export function csvCells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

function csvCell(value: unknown, spreadsheet: boolean): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const cell = spreadsheet && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${cell.replaceAll('"', '""')}"`;
}
