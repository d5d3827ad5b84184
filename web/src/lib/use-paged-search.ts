import { useEffect, useState } from 'react';

/** The value, once it has been still for `delayMs`. */
function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

const SEARCH_DELAY_MS = 300;

type Filters = Record<string, string>;

/** Filters as typed, the same once they have been still for a moment (trimmed), and the page, which they bring back to 1. */
export function usePagedSearch<F extends Filters>(empty: F) {
  const [filters, setFilters] = useState(empty);
  const [page, setPage] = useState(1);
  const settled = useDebounced(filters, SEARCH_DELAY_MS);
  const query = Object.fromEntries(Object.entries(settled).map(([name, text]) => [name, text.trim()])) as F;
  const change = (part: Partial<F>) => {
    setFilters({ ...filters, ...part });
    setPage(1);
  };
  return { filters, query, change, page, setPage };
}
