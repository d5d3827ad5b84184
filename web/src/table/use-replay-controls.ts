import { useEffect, useRef, useState } from 'react';

export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_MS = 1_100;

type Autoplay = {
  playing: boolean;
  speed: number;
  setSpeed: (speed: number) => void;
  toggle: () => void;
  stop: () => void;
};

/** Steps forward automatically until the last step. Playing at the last step starts from the beginning. */
export function useAutoplay(step: number, steps: number, goTo: (step: number) => void): Autoplay {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const last = Math.max(0, steps - 1);
  const running = playing && step < last;

  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => goTo(step + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [running, step, speed, goTo]);

  useEffect(() => {
    if (playing && step >= last) setPlaying(false);
  }, [playing, step, last]);

  const toggle = () => {
    if (!running && step >= last && last > 0) goTo(0);
    setPlaying(!running && last > 0);
  };
  return { playing: running, speed, setSpeed, toggle, stop: () => setPlaying(false) };
}

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

/** Handles keys except in a field: arrows step, Home and End jump, Shift with an arrow changes the hand. */
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
