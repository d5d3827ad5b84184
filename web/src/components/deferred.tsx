import { useDeferredValue } from 'react';

type Props = { children: React.ReactNode; fallback?: React.ReactNode };

/** Renders its children after the rest of the page, in tasks that do not block input; until then the fallback. For parts below the first screen. */
export function Deferred({ children, fallback = null }: Props) {
  return useDeferredValue(true, false) ? children : fallback;
}
