// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { NotationPanel } from './notation-panel.tsx';
import { setPreferences } from './preferences.ts';
import { stateAt } from './replay-state.ts';
import { blinds, gameOf, sampleLog } from './sample-log.ts';
import { SettingsDialog } from './settings-dialog.tsx';

const game = gameOf(sampleLog([[...blinds, [2, 'RAISE', 40], [0, 'FOLD', 0], [1, 'FOLD', 0]]]));

afterEach(() => {
  cleanup();
  setPreferences({ bigBlinds: false });
});

it('a line goes to its step, and the line of the current step is marked', () => {
  const onStep = vi.fn();
  render(<NotationPanel game={game} state={stateAt(game, 'action', 2)} handNames={[]} showCards onStep={onStep} />);
  expect(screen.getByRole('button', { name: 'cat: raises to $40' }).getAttribute('aria-current')).toBe('step');
  fireEvent.click(screen.getByRole('button', { name: 'bob: posts big blind $10' }));
  expect(onStep).toHaveBeenCalledWith(1);
});

it('amounts change to big blinds when the setting does, and the setting is stored', () => {
  render(
    <>
      <NotationPanel game={game} state={stateAt(game, 'action', 2)} handNames={[]} showCards onStep={vi.fn()} />
      <SettingsDialog open onClose={vi.fn()} />
    </>,
  );
  fireEvent.click(screen.getByRole('checkbox', { name: 'Amounts in big blinds' }));
  expect(screen.getByText('cat: raises to 4 BB')).toBeDefined();
  expect(JSON.parse(localStorage.getItem('husky.table') ?? '')).toMatchObject({ bigBlinds: true, sound: false });
});
