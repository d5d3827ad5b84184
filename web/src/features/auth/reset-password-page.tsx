import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { api, detailOf } from '../../lib/api.ts';
import { checkSession } from '../../lib/session.ts';
import type { MessageAnswer } from '../../lib/types.ts';
import { AuthCard } from './auth-card.tsx';
import { checkNewPassword } from './form-rules.ts';

/** Where the mailed link of a forgotten password leads. */
export function ResetPasswordPage() {
  const { token } = useParams();
  const [form, setForm] = useState({ password: '', confirm: '' });
  const [error, setError] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const problem = checkNewPassword(form);
    setError(problem);
    if (problem !== '') return;
    setBusy(true);
    try {
      const body = { token: token ?? '', new_password: form.password };
      const answer = await api.post<MessageAnswer>('/auth/reset-password', body, { anonymous: true });
      setMessage(answer.message);
      // Every session has ended, one of this browser too.
      await checkSession();
    } catch (failure) {
      setError(detailOf(failure, 'An unexpected error occurred. Please try again.'));
    } finally {
      setBusy(false);
    }
  };

  if (message !== '') {
    return (
      <AuthCard title="Password Changed" tabTitle="Password changed">
        <p role="status">{message}</p>
        <ButtonLink to="/login">Proceed to Login</ButtonLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Set a New Password" tabTitle="Set a new password">
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ErrorBox text={error} />
        <TextField
          label="New Password"
          type="password"
          autoComplete="new-password"
          value={form.password}
          onChange={(event) => setForm({ ...form, password: event.target.value })}
        />
        <TextField
          label="Confirm Password"
          type="password"
          autoComplete="new-password"
          value={form.confirm}
          onChange={(event) => setForm({ ...form, confirm: event.target.value })}
        />
        <Button type="submit" disabled={busy}>
          {busy ? 'Saving...' : 'Set Password'}
        </Button>
        <p className="muted">
          <Link to="/forgot-password">Get a new link</Link>
        </p>
      </form>
    </AuthCard>
  );
}
