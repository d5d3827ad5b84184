import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { ButtonLink } from '../../components/button.tsx';
import { TextField } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { useFields } from '../../lib/forms.ts';
import { checkSession } from '../../session/session.ts';
import { AuthCard, AuthForm, checkNewPassword } from './auth-form.tsx';

/** Shows /reset-password/:token, the target of the mailed link for a forgotten password. */
export function ResetPasswordPage() {
  const { token } = useParams();
  const { fields: form, bind } = useFields({ password: '', confirm: '' });
  const [message, setMessage] = useState('');

  const send = async () => {
    const body = { token: token ?? '', new_password: form.password };
    const response = await api.post('/auth/reset-password', { body, anonymous: true });
    setMessage(response.message);
    // The server has ended all sessions, including one of this browser.
    await checkSession();
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
      <AuthForm
        check={() => checkNewPassword(form)}
        send={send}
        explain={(failure) => detailOf(failure, 'An unexpected error occurred. Please try again.')}
        label="Set Password"
        busyLabel="Saving..."
      >
        <TextField label="New Password" type="password" autoComplete="new-password" {...bind('password')} />
        <TextField label="Confirm Password" type="password" autoComplete="new-password" {...bind('confirm')} />
      </AuthForm>
      <p className="muted">
        <Link to="/forgot-password">Get a new link</Link>
      </p>
    </AuthCard>
  );
}
