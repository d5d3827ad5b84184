import { useState } from 'react';
import { Link } from 'react-router';
import { TextField } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { AuthCard, AuthForm } from './auth-form.tsx';

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [message, setMessage] = useState('');

  const send = async () => {
    setMessage('');
    const body = { email: email.trim() };
    setMessage((await api.post('/auth/forgot-password', { body, anonymous: true })).message);
  };

  return (
    <AuthCard title="Forgot Your Password" tabTitle="Forgot your password" lead="We send you a link to set a new one.">
      <AuthForm
        check={() => (email.trim() === '' ? 'Please enter your e-mail address' : '')}
        send={send}
        explain={(failure) => detailOf(failure, 'An unexpected error occurred. Please try again.')}
        label="Send Link"
        busyLabel="Sending..."
      >
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
      </AuthForm>
      <p className="muted">
        <Link to="/login">Back to login</Link>
      </p>
    </AuthCard>
  );
}
