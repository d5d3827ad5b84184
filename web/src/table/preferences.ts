import { useMemo, useSyncExternalStore } from 'react';
import { readStored, store } from '../lib/storage.ts';
import { formatBigBlinds, formatChange, formatChips, formatSigned } from './chips.ts';
import type { FormatAmount } from './descriptions.ts';
import type { Game } from './game.ts';

const STORAGE_KEY = 'husky.table';

export const SPEEDS = [0.5, 1, 2, 4] as const;

/** How this browser shows every card table. */
export type Preferences = {
  fourColourDeck: boolean;
  /** Amounts in big blinds instead of dollars. */
  bigBlinds: boolean;
  sound: boolean;
  /** Keyboard shortcuts; they can be switched off (WCAG 2.1.4). */
  shortcuts: boolean;
  /** Speed of a replay; one of SPEEDS. */
  speed: number;
};

const DEFAULTS: Preferences = { fourColourDeck: false, bigBlinds: false, sound: false, shortcuts: true, speed: 1 };

/** Parses the stored preferences; unknown and invalid values become the defaults. */
export function parsePreferences(text: string | null): Preferences {
  let stored: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    stored = { ...(JSON.parse(text ?? '{}') as object) };
  } catch {
    // Another version or an extension wrote the entry: the defaults apply until the next change.
  }
  const flag = (name: 'fourColourDeck' | 'bigBlinds' | 'sound' | 'shortcuts') =>
    typeof stored[name] === 'boolean' ? stored[name] : DEFAULTS[name];
  return {
    fourColourDeck: flag('fourColourDeck'),
    bigBlinds: flag('bigBlinds'),
    sound: flag('sound'),
    shortcuts: flag('shortcuts'),
    speed: SPEEDS.find((speed) => speed === stored.speed) ?? DEFAULTS.speed,
  };
}

let current: Preferences | null = null;
const listeners = new Set<() => void>();

function readPreferences(): Preferences {
  current ??= parsePreferences(readStored(STORAGE_KEY) ?? null);
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Changes some preferences for all tables of this page, and stores them if the browser allows it. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...readPreferences(), ...change };
  store(STORAGE_KEY, JSON.stringify(current));
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, readPreferences);
}

export type Amounts = { chips: FormatAmount; change: FormatAmount };

/** Returns the formats of amounts and of changes: dollars, or big blinds if they are preferred and the log has blinds. */
export function useAmounts(game: Pick<Game, 'blinds'>): Amounts {
  const { bigBlinds } = usePreferences();
  const big = game.blinds?.big ?? 0;
  return useMemo(() => {
    if (!bigBlinds || big <= 0) return { chips: formatChips, change: formatChange };
    const chips = (amount: number) => formatBigBlinds(amount, big);
    return { chips, change: (amount: number) => formatSigned(amount, chips) };
  }, [bigBlinds, big]);
}
