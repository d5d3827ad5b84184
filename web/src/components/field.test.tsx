// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ChoiceField, SearchField, TextField } from './field.tsx';

afterEach(cleanup);

it('is described by its hint and its error', () => {
  render(<TextField label="Username" hint="3 to 32 letters" error="Taken" />);
  const field = screen.getByLabelText('Username');
  const described = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual(['3 to 32 letters', 'Taken']);
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

it('has neither a description nor an error by default', () => {
  render(<TextField label="Username" error="" />);
  const field = screen.getByLabelText('Username');
  expect([field.getAttribute('aria-describedby'), field.getAttribute('aria-invalid')]).toEqual([null, null]);
});

it('reports a search text and a chosen value', () => {
  const [onSearch, onChoose] = [vi.fn(), vi.fn()];
  render(
    <>
      <SearchField label="Search" value="" onSearch={onSearch} />
      <ChoiceField<'' | 'failed'>
        label="Status"
        value=""
        choices={{ '': 'All', failed: 'Failed' }}
        onChoose={onChoose}
      />
    </>,
  );
  fireEvent.change(screen.getByLabelText('Search'), { target: { value: 'ann' } });
  fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'failed' } });
  expect([onSearch.mock.calls, onChoose.mock.calls]).toEqual([[['ann']], [['failed']]]);
});
