// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getToasts, Toasts, toast } from './toasts.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // Other files leave messages.
  for (const { id } of getToasts()) toast.dismiss(id);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (kind: 'error' | 'success' | 'info', text: string) => act(() => toast[kind](text));
const texts = () => getToasts().map(({ text }) => text);

it('reads an error out at once, other messages politely', () => {
  render(<Toasts />);
  show('error', 'Failed to load games.');
  show('success', 'Settings saved.');
  expect(screen.getByRole('alert').textContent).toBe('Failed to load games.');
  expect(screen.getByRole('status').textContent).toBe('Settings saved.');
});

it('removes a message after its time, and one that is being read only later', () => {
  render(<Toasts />);
  show('success', 'Settings saved.');
  fireEvent.mouseEnter(screen.getByRole('status'));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(texts()).toEqual(['Settings saved.']);
  fireEvent.mouseLeave(screen.getByRole('status'));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(texts()).toEqual([]);
});

it('removes a message when its button is pressed', () => {
  render(<Toasts />);
  show('info', 'Ready.');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss message' }));
  expect(screen.queryByText('Ready.')).toBeNull();
});

it('shows the newest four messages, and a repeated one once', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e', 'c']) show('error', text);
  expect(texts()).toEqual(['b', 'd', 'e', 'c']);
});
