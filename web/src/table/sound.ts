import { useEffect, useRef } from 'react';
import type { TableState } from './table-state.ts';

type Tone = { frequencyHz: number; startS: number; lengthS: number };
type SoundName = 'check' | 'fold' | 'chips' | 'card' | 'win';

const VOLUME = 0.12;
const SOUNDS: Record<SoundName, Tone[]> = {
  check: [
    { frequencyHz: 180, startS: 0, lengthS: 0.05 },
    { frequencyHz: 180, startS: 0.09, lengthS: 0.05 },
  ],
  fold: [{ frequencyHz: 120, startS: 0, lengthS: 0.12 }],
  chips: [
    { frequencyHz: 1_400, startS: 0, lengthS: 0.04 },
    { frequencyHz: 1_800, startS: 0.05, lengthS: 0.04 },
  ],
  card: [{ frequencyHz: 620, startS: 0, lengthS: 0.06 }],
  win: [
    { frequencyHz: 523, startS: 0, lengthS: 0.12 },
    { frequencyHz: 659, startS: 0.1, lengthS: 0.12 },
    { frequencyHz: 784, startS: 0.2, lengthS: 0.2 },
  ],
};

/** Returns the sound of a step; null if nothing is heard. */
export function soundOf(state: TableState): SoundName | null {
  if (state.stage?.kind === 'deal') return 'card';
  if (state.stage !== null || (state.over && state.paid.length > 0)) return 'win';
  if (state.action === null) return null;
  if (state.action.kind === 'FOLD') return 'fold';
  return state.action.chips > 0 ? 'chips' : 'check';
}

function play(audio: AudioContext, tones: readonly Tone[]): void {
  for (const { frequencyHz, startS, lengthS } of tones) {
    const start = audio.currentTime + startS;
    const oscillator = new OscillatorNode(audio, { frequency: frequencyHz, type: 'triangle' });
    const gain = new GainNode(audio, { gain: VOLUME });
    gain.gain.setValueAtTime(VOLUME, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + lengthS);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + lengthS);
  }
}

/**
 * Plays the sound of each step after the first one while `on`. Tones are generated, so that no files are loaded. A browser that
 * waits for a click before it plays sound stays silent until then.
 */
export function useSound(state: TableState, on: boolean): void {
  const audio = useRef<AudioContext>(undefined);
  const heard = useRef(state);
  useEffect(() => {
    if (heard.current === state) return;
    heard.current = state;
    const sound = soundOf(state);
    if (!on || sound === null) return;
    audio.current ??= new AudioContext();
    if (audio.current.state === 'running') play(audio.current, SOUNDS[sound]);
    else void audio.current.resume();
  }, [state, on]);
  useEffect(() => () => void audio.current?.close(), []);
}
