// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import { ErrorBox, QueryState } from './feedback.tsx';

afterEach(cleanup);

it('is absent without a text', () => {
  expect(render(<ErrorBox text="" onRetry={() => undefined} />).container.innerHTML).toBe('');
});

it('shows an error with a button that retries', () => {
  const onRetry = vi.fn();
  render(<ErrorBox text="Failed." onRetry={onRetry} />);
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByRole('alert').textContent).toContain('Failed.');
  expect(onRetry).toHaveBeenCalledOnce();
});

it('shows that a query loads, why it failed, and nothing once it has data', () => {
  const refetch = vi.fn();
  const query = { isPending: false, isError: false, error: null, refetch };
  const { rerender, container } = render(<QueryState what="the profile" query={{ ...query, isPending: true }} />);
  expect(screen.getByRole('status').textContent).toBe('Loading...');
  const error = new ApiError({ status: 503, detail: 'Please try again.' });
  rerender(<QueryState what="the profile" query={{ ...query, isError: true, error }} padded />);
  expect(screen.getByRole('alert').textContent).toContain('Failed to load the profile. Please try again.');
  expect(container.firstElementChild?.className).toBe('panel-body');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(refetch).toHaveBeenCalledOnce();
  rerender(<QueryState what="the profile" query={query} />);
  expect(container.innerHTML).toBe('');
});
