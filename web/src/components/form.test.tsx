// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ChoiceField, Form, ModeField, SearchField, SubmitButton, TextField, TimeField } from './form.tsx';

afterEach(cleanup);

it('calls its handler instead of loading a page, and shows the error above the fields', () => {
  const onSubmit = vi.fn();
  const { container } = render(
    <Form onSubmit={onSubmit} error="Please fill in all fields">
      <SubmitButton busy={false} label="Save" busyLabel="Saving..." />
    </Form>,
  );
  const form = container.querySelector('form') as HTMLFormElement;
  const event = createEvent.submit(form);
  fireEvent(form, event);
  expect([onSubmit.mock.calls.length, event.defaultPrevented]).toEqual([1, true]);
  expect(form.firstElementChild).toBe(screen.getByRole('alert'));
});

it('disables the button while the form is sent', () => {
  render(<SubmitButton busy label="Save" busyLabel="Saving..." />);
  expect(screen.getByRole('button', { name: 'Saving...' })).toHaveProperty('disabled', true);
});

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

it('takes a time in the zone of the event, and keeps what is typed while it is none', () => {
  const onTime = vi.fn();
  const { rerender } = render(<TimeField label="Starts" value="2025-07-22T06:59:59Z" onTime={onTime} />);
  const input = screen.getByLabelText('Starts') as HTMLInputElement;
  expect([input.type, input.value]).toEqual(['datetime-local', '2025-07-21T23:59:59']);
  fireEvent.change(input, { target: { value: '0202-01-01T10:00' } });
  rerender(<TimeField label="Starts" value="" onTime={onTime} />);
  expect(input.value).toBe('0202-01-01T10:00');
  fireEvent.change(input, { target: { value: '2027-01-01T10:00' } });
  expect(onTime.mock.calls).toEqual([[''], ['2027-01-01T18:00:00.000Z']]);
});
