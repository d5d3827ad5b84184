// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CopyButton } from './copy-button.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pressCopy = () => act(async () => void fireEvent.click(screen.getByRole('button')));

it('copies the text and shows it for two seconds', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  render(<CopyButton text="job-1" label="Copy job ID" />);
  await pressCopy();
  expect(writeText).toHaveBeenCalledWith('job-1');
  expect(screen.getByRole('button').textContent).toBe('Copied');
  expect(screen.getByRole('status').textContent).toBe('Copied');
  act(() => void vi.advanceTimersByTime(2_000));
  expect(screen.getByRole('button').textContent).toBe('Copy job ID');
});

it('keeps its label if the browser refuses to copy, and logs it', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  Object.assign(document, { execCommand: () => false });
  render(<CopyButton text="job-1" label="Copy job ID" iconOnly />);
  await pressCopy();
  expect(screen.getByRole('button', { name: 'Copy job ID' }).getAttribute('title')).toBe('Copy job ID');
  expect(screen.getByRole('status').textContent).toBe('');
  expect(log).toHaveBeenCalledWith('Copying to the clipboard failed: denied');
});
