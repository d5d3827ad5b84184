// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ModeField } from './mode-field.tsx';

afterEach(cleanup);

it('reports the chosen mode and explains the current one', () => {
  const onMode = vi.fn();
  const { rerender } = render(<ModeField mode="classic" onMode={onMode} />);
  expect(screen.getByText(/^One match\./)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Mode'), { target: { value: 'duplicate' } });
  expect(onMode).toHaveBeenCalledWith('duplicate');
  rerender(<ModeField mode="duplicate" onMode={onMode} />);
  expect(screen.getByText(/^6 matches with the same cards/)).toBeTruthy();
});
