// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setPreferences } from './preferences.ts';
import { EmbeddedReplay, ReplayViewer } from './replay-viewer.tsx';
import { actions, blinds, gameOf, sampleLog } from './sample-log.ts';
import { SilentWorker } from './silent-worker.ts';
import type { ReplayOptions, ReplayPosition } from './use-replay.ts';

const game = gameOf(
  sampleLog(
    [[...blinds, ...actions('2 CALL 10, 0 CALL 5, 1 CHECK 0')], actions('0 CHECK 0, 1 RAISE 20, 2 FOLD 0, 0 FOLD 0')],
    {
      final: [9_990, 10_020, 9_990],
    },
  ),
);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Worker', SilentWorker);
});

afterEach(() => {
  cleanup();
  setPreferences({ shortcuts: true, speed: 1 });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Options = Omit<ReplayOptions, 'game' | 'position' | 'onPosition'>;

function Viewer(options: Options) {
  const [position, setPosition] = useState<ReplayPosition>({ mode: 'action', step: 0 });
  return <ReplayViewer game={game} position={position} onPosition={setPosition} {...options} />;
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const press = (key: string, more: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...more });
const step = () => screen.getByText(/^(Action \d|\(\d)/).textContent;

it('steps by buttons, slider and streets, between the first and the last step', () => {
  render(<Viewer />);
  expect(step()).toBe('Action 1 of 9');
  expect(screen.getByRole('button', { name: 'Previous' }).hasAttribute('disabled')).toBe(true);
  click('Next');
  expect(step()).toBe('Action 2 of 9');
  click('Flop');
  expect(step()).toBe('Action 6 of 9');
  fireEvent.change(screen.getByRole('slider', { name: 'Action' }), { target: { value: '9' } });
  expect(step()).toBe('Action 9 of 9');
  expect(screen.getByRole('button', { name: 'Next' }).hasAttribute('disabled')).toBe(true);
});

it('steps by keys, but not in a field, with Ctrl or while shortcuts are off', () => {
  const [previousHand, nextHand] = [vi.fn(), vi.fn()];
  render(<Viewer previousHand={previousHand} nextHand={nextHand} />);
  press('End');
  press('ArrowLeft');
  expect(step()).toBe('Action 8 of 9');
  press('ArrowRight', { ctrlKey: true });
  press('ArrowRight', {}, screen.getByRole('combobox', { name: 'Speed' }));
  expect(step()).toBe('Action 8 of 9');
  press('ArrowLeft', { shiftKey: true });
  press('ArrowRight', { shiftKey: true });
  expect([previousHand.mock.calls.length, nextHand.mock.calls.length]).toEqual([1, 1]);
  act(() => setPreferences({ shortcuts: false }));
  press('Home');
  expect(step()).toBe('Action 8 of 9');
});

it('plays to the end at the chosen speed, and a step by hand pauses it', () => {
  const onPlayed = vi.fn();
  render(<Viewer onPlayed={onPlayed} />);
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  press(' ');
  wait(1_100);
  expect(step()).toBe('Action 2 of 9');
  click('Next');
  wait(5_000);
  expect([step(), screen.queryByRole('button', { name: 'Pause' })]).toEqual(['Action 3 of 9', null]);
  fireEvent.change(screen.getByRole('combobox', { name: 'Speed' }), { target: { value: '4' } });
  click('Play');
  for (let left = 6; left > 0; left -= 1) {
    expect(onPlayed).not.toHaveBeenCalled();
    wait(275);
  }
  expect([step(), onPlayed.mock.calls.length]).toEqual(['Action 9 of 9', 1]);
  click('Play');
  expect(step()).toBe('Action 1 of 9');
});

it('plays at once if asked to', () => {
  render(<Viewer autoStart />);
  act(() => void vi.advanceTimersByTime(1_100));
  expect(step()).toBe('Action 2 of 9');
});

it('shows one step per street in results mode', () => {
  render(<Viewer />);
  click('Results');
  expect(step()).toBe('(1 of 2)');
  click('Next');
  expect(screen.getByRole('region', { name: 'GAME RESULTS' }).textContent).toContain('bobWON $30net +$20');
});

it('hides cards and pots', () => {
  render(<Viewer />);
  click('Hide Pots');
  expect(screen.queryByRole('region', { name: 'POTS & ELIGIBLE PLAYERS' })).toBeNull();
  expect(screen.getByRole('region', { name: 'HANDS & CHANCES' })).toBeDefined();
  click('Hide Cards');
  expect(screen.queryByRole('region', { name: 'HANDS & CHANCES' })).toBeNull();
  expect(screen.getAllByRole('img', { name: 'face-down card' })).toHaveLength(6);
});

it('opens the settings by a key; an embedded replay has no side panels', () => {
  render(
    <EmbeddedReplay game={game} position={{ mode: 'action', step: 0 }} onPosition={vi.fn()}>
      Open
    </EmbeddedReplay>,
  );
  expect(screen.queryByRole('complementary')).toBeNull();
  press('?');
  expect(screen.getByRole('dialog', { name: 'Table settings and keys' })).toBeDefined();
});
