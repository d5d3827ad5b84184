import { useEffect, useRef, useState } from 'react';
import { usePreferences } from './preferences.ts';

const STEP_MS = 1_100;

type Autoplay = {
  playing: boolean;
  toggle: () => void;
  stop: () => void;
};

/**
 * Steps forward automatically until the last step. Playing at the last step starts from the beginning. `onPlayed` is called when
 * the last step is reached.
 */
export function useAutoplay(
  step: number,
  steps: number,
  goTo: (step: number) => void,
  onPlayed?: () => void,
): Autoplay {
  const [playing, setPlaying] = useState(false);
  const { speed } = usePreferences();
  const last = Math.max(0, steps - 1);
  const running = playing && step < last;

  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => goTo(step + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [running, step, speed, goTo]);

  useEffect(() => {
    if (!playing || step < last) return;
    setPlaying(false);
    onPlayed?.();
  }, [playing, step, last, onPlayed]);

  const toggle = () => {
    if (!running && step >= last && last > 0) goTo(0);
    setPlaying(!running && last > 0);
  };
  return { playing: running, toggle, stop: () => setPlaying(false) };
}

export type ReplayKeys = {
  previous: () => void;
  next: () => void;
  first: () => void;
  last: () => void;
  play: () => void;
  help: () => void;
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

/** Returns whether the element is a slider, which handles arrows, Home and End itself, and no other keys. */
function isSlider(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input[type="range"]');
}

/** Returns whether Space already acts on the element, as on a button. */
function usesSpace(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary, [role="button"]') !== null;
}

function actionOf(event: KeyboardEvent, keys: ReplayKeys): (() => void) | undefined {
  if (event.key === '?') return keys.help;
  if (event.key === ' ') return usesSpace(event.target) || event.shiftKey ? undefined : keys.play;
  const plain: Record<string, () => void> = {
    ArrowLeft: keys.previous,
    ArrowRight: keys.next,
    Home: keys.first,
    End: keys.last,
  };
  const shifted: Record<string, (() => void) | undefined> = { ArrowLeft: keys.previousHand, ArrowRight: keys.nextHand };
  return (event.shiftKey ? shifted : plain)[event.key];
}

/**
 * Handles keys except in a field while shortcuts are on: arrows step, Home and End jump, Shift with an arrow changes the hand,
 * Space plays, '?' lists the keys.
 */
export function useReplayKeys(keys: ReplayKeys): void {
  const { shortcuts } = usePreferences();
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    if (!shortcuts) return;
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (isTyping(event.target) && !(isSlider(event.target) && (event.key === ' ' || event.key === '?'))) return;
      const act = actionOf(event, current.current);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [shortcuts]);
}
