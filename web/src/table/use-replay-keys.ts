import { useEffect, useRef } from 'react';

export type ReplayKeys = {
  previous: () => void;
  next: () => void;
  first: () => void;
  last: () => void;
  previousHand?: () => void;
  nextHand?: () => void;
};

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input, select, textarea, [role="tab"]') ||
    target.closest('dialog') !== null
  );
}

/** Arrow keys step, Home and End jump, Shift with an arrow changes the hand, wherever the focus is except in a field. */
export function useReplayKeys(keys: ReplayKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      const { previous, next, first, last, previousHand, nextHand } = current.current;
      const plain: Record<string, (() => void) | undefined> = {
        ArrowLeft: previous,
        ArrowRight: next,
        Home: first,
        End: last,
      };
      const shifted: Record<string, (() => void) | undefined> = { ArrowLeft: previousHand, ArrowRight: nextHand };
      const act = (event.shiftKey ? shifted : plain)[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
