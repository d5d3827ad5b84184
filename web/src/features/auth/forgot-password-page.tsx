import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { api, detailOf } from '../../lib/api.ts';
import type { MessageAnswer } from '../../lib/types.ts';
import { AuthCard } from './auth-card.tsx';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    if (email.trim() === '') {
      setError('Please enter your e-mail address');
      return;
    }
    setBusy(true);
    setError('');
    setMessage('');
    try {
      const answer = await api.post<MessageAnswer>(
        '/auth/forgot-password',
        { email: email.trim() },
        { anonymous: true },
      );
      setMessage(answer.message);
    } catch (failure) {
      setError(detailOf(failure, 'An unexpected error occurred. Please try again.'));
    } finally {
      setBusy(false);
    }
  };

  return (
    <AuthCard
      title="Forgot Your Password"
      tabTitle="Forgot your password"
      lead="A link to set a new one comes by mail."
    >
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ErrorBox text={error} />
        <p role="status" className={message ? 'positive' : 'visually-hidden'}>
          {message}
        </p>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" disabled={busy}>
          {busy ? 'Sending...' : 'Send Link'}
        </Button>
        <p className="muted">
          <Link to="/login">Back to login</Link>
        </p>
      </form>
    </AuthCard>
  );
}
