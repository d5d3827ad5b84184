import { STREETS } from '@husky/match/game-data';
import type { PlayerSeries } from '../../performance/series.ts';

export type Street = (typeof STREETS)[number];
export const STREET_LABELS: Record<Street, string> = {
  preflop: 'Pre-flop',
  flop: 'Flop',
  turn: 'Turn',
  river: 'River',
};

/** A hand in the list. `facts` is null while they are not loaded. The board is loaded for visible rows only. */
export type HandEntry = {
  gameId: string;
  number: number;
  facts: {
    pot: number;
    street: Street | null;
    showdown: boolean;
    allIn: boolean;
    winners: readonly string[];
    /** Players whose decision failed. */
    faults: readonly string[];
  } | null;
};

export type HandOrder = 'none' | 'ascending' | 'descending' | 'pot' | 'win' | 'loss';

/** Filters and order of the list; they are kept in the address. */
export type HandQuery = {
  order: HandOrder;
  /** Whose net and faults are meant; '' for nobody. */
  player: string;
  net: '' | 'win' | 'loss';
  allIn: boolean;
  showdown: boolean;
  faults: boolean;
  minPot: number;
  /** The last street dealt; '' for any. */
  street: Street | '';
};

export const EMPTY_QUERY: HandQuery = {
  order: 'none',
  player: '',
  net: '',
  minPot: 0,
  allIn: false,
  showdown: false,
  faults: false,
  street: '',
};

const ORDERS: readonly HandOrder[] = ['none', 'ascending', 'descending', 'pot', 'win', 'loss'];

/** Reads the query of an address. Unknown values count as absent. */
export function queryOf(params: URLSearchParams, players: readonly string[]): HandQuery {
  const player = params.get('player') ?? '';
  const known = players.includes(player) ? player : '';
  const order = ORDERS.find((one) => one === params.get('order')) ?? 'none';
  const net = params.get('net');
  const minPot = Number(params.get('min_pot') ?? 0);
  return {
    order: known === '' && (order === 'win' || order === 'loss') ? 'none' : order,
    player: known,
    net: known !== '' && (net === 'win' || net === 'loss') ? net : '',
    allIn: params.has('all_in'),
    showdown: params.has('showdown'),
    faults: params.has('faults'),
    minPot: Number.isSafeInteger(minPot) && minPot > 0 ? minPot : 0,
    street: STREETS.find((one) => one === params.get('street')) ?? '',
  };
}

/** Writes a query into a copy of an address's parameters; keeps those of others. */
export function withQuery(params: URLSearchParams, query: HandQuery): URLSearchParams {
  const written = new URLSearchParams(params);
  const values: Record<string, string> = {
    order: query.order === 'none' ? '' : query.order,
    player: query.player,
    net: query.net,
    all_in: query.allIn ? '1' : '',
    showdown: query.showdown ? '1' : '',
    faults: query.faults ? '1' : '',
    min_pot: query.minPot > 0 ? String(query.minPot) : '',
    street: query.street,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value === '') written.delete(name);
    else written.set(name, value);
  }
  return written;
}

/** Returns whether a query leaves hands out. */
export function isFiltered(query: HandQuery): boolean {
  return query.net !== '' || readsFacts(query);
}

/** Returns whether a filter needs the facts of a hand. */
const readsFacts = ({ allIn, showdown, faults, minPot, street }: HandQuery) =>
  allIn || showdown || faults || minPot > 0 || street !== '';

/** Returns a function from a hand's number to a player's net in it; undefined for a player without a series. */
export function netsOf(series: readonly PlayerSeries[], player: string): ((number: number) => number) | undefined {
  const values = series.find(({ name }) => name === player)?.values;
  return values && ((number) => (values[number - 1] ?? 0) - (values[number - 2] ?? 0));
}

/** Returns the hands of a query in its order; equal ones by number. Hands without facts pass no filter on facts. */
export function selectHands(
  hands: readonly HandEntry[],
  query: HandQuery,
  net: ((number: number) => number) | undefined,
): readonly HandEntry[] {
  const found = isFiltered(query) ? hands.filter((hand) => passes(hand, query, net)) : hands;
  const by = (keyOf: (hand: HandEntry) => number) =>
    [...found].sort((a, b) => keyOf(a) - keyOf(b) || a.number - b.number);
  switch (query.order) {
    case 'ascending':
      return by(({ number }) => number);
    case 'descending':
      return by(({ number }) => -number);
    case 'pot':
      return by(({ facts }) => -(facts?.pot ?? 0));
    case 'win':
      return net === undefined ? found : by(({ number }) => -net(number));
    case 'loss':
      return net === undefined ? found : by(({ number }) => net(number));
    default:
      return found;
  }
}

function passes({ facts, number }: HandEntry, query: HandQuery, net: ((number: number) => number) | undefined) {
  if (query.net === 'win' && !((net?.(number) ?? 0) > 0)) return false;
  if (query.net === 'loss' && !((net?.(number) ?? 0) < 0)) return false;
  if (facts === null) return !readsFacts(query);
  if (query.allIn && !facts.allIn) return false;
  if (query.showdown && !facts.showdown) return false;
  if (query.street !== '' && facts.street !== query.street) return false;
  if (query.faults && !(query.player === '' ? facts.faults.length > 0 : facts.faults.includes(query.player)))
    return false;
  return facts.pot >= query.minPot;
}
