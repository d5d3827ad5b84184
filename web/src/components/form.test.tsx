// @vitest-environment happy-dom
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Form, SubmitButton } from './form.tsx';

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
