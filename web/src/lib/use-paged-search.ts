import { useEffect, useState } from 'react';

/** Returns the value debounced by `delayMs`. */
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

/** Keeps the state of a filtered list: the filters, the debounced and trimmed query, and the page, which a filter resets to 1. */
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
