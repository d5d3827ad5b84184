import { describe, expect, it } from 'vitest';
import { checkLogin, checkRegistration } from './form-rules.ts';

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
