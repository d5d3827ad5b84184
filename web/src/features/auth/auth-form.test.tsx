// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TextField } from '../../components/form.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { loginErrorText } from '../../session/sign-in.ts';
import { AuthForm, checkLogin, checkRegistration } from './auth-form.tsx';

afterEach(cleanup);

function show(check: () => string, send: () => Promise<void>) {
  render(
    <AuthForm check={check} send={send} explain={loginErrorText} label="Login" busyLabel="Logging in...">
      <TextField label="Username" defaultValue="ann" />
    </AuthForm>,
  );
  return () => fireEvent.submit(screen.getByRole('button'));
}

describe('a sign-in form', () => {
  it('shows the error of the input and sends nothing', () => {
    const send = vi.fn(async () => undefined);
    show(() => 'Please enter both username and password', send)();
    expect(screen.getByRole('alert').textContent).toBe('Please enter both username and password');
    expect(send).not.toHaveBeenCalled();
  });
  it('is busy while sending, and keeps the input', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    show(
      () => '',
      () => promise,
    )();
    expect(screen.getByRole('button', { name: 'Logging in...' })).toHaveProperty('disabled', true);
    resolve();
    expect(await screen.findByRole('button', { name: 'Login' })).toHaveProperty('disabled', false);
    expect(screen.getByLabelText('Username')).toHaveProperty('value', 'ann');
  });
  it.each([
    [new ApiError({ status: 401, detail: 'Invalid credentials' }), 'Invalid credentials'],
    [new ApiError({ status: 502, detail: '' }), 'Login failed. Please try again.'],
    [new ApiError({ status: 0, detail: '' }), 'An unexpected error occurred.'],
  ])('shows the text for %s and clears it at the next attempt', async (error, text) => {
    const send = vi.fn(() => Promise.reject(error));
    const submit = show(() => '', send);
    submit();
    expect((await screen.findByRole('alert')).textContent).toBe(text);
    send.mockImplementation(() => new Promise(() => undefined));
    submit();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the sign-in forms', () => {
  it('require both fields for a login', () => {
    expect(checkLogin({ username: ' ', password: 'x' })).toBe('Please enter both username and password');
    expect(checkLogin({ username: 'ann', password: '' })).toBe('Please enter both username and password');
    expect(checkLogin({ username: 'ann', password: 'x' })).toBe('');
  });
  it('require all fields and equal passwords for a registration', () => {
    const form = { username: 'ann', email: 'a@b.example', password: 'x', confirm: 'x' };
    expect(checkRegistration(form)).toBe('');
    expect(checkRegistration({ ...form, email: '' })).toBe('Please fill in all fields');
    expect(checkRegistration({ ...form, confirm: '' })).toBe('Please fill in all fields');
    expect(checkRegistration({ ...form, confirm: 'y' })).toBe('Passwords do not match');
  });
});
