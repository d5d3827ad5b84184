import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { TextField } from '../../components/form.tsx';
import { isApiError } from '../../lib/api-error.ts';
import { useFields } from '../../lib/forms.ts';
import { register, registerErrorText } from '../../session/sign-in.ts';
import { AuthCard, AuthForm, checkRegistration } from './auth-form.tsx';
import { SingleSignOnEntry } from './single-sign-on-entry.tsx';

const EMPTY = { username: '', email: '', password: '', confirm: '' };

export function RegisterPage() {
  const location = useLocation();
  const { fields: form, bind } = useFields(EMPTY);
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const field = (name: keyof typeof EMPTY) => ({
    name,
    ...bind(name),
    required: true,
    ...(fieldErrors[name] ? { error: fieldErrors[name] } : {}),
  });

  const send = async () => {
    setFieldErrors({});
    try {
      await register({ username: form.username.trim(), email: form.email.trim(), password: form.password });
    } catch (failure) {
      if (isApiError(failure)) {
        const named = failure.errors.map((entry) => [entry.field.split('.').at(-1), entry.message]);
        setFieldErrors(Object.fromEntries(named));
      }
      throw failure;
    }
  };

  return (
    <AuthCard title="Create Your Account" tabTitle="Register">
      <AuthForm
        check={() => checkRegistration(form)}
        send={send}
        explain={registerErrorText}
        label="Register"
        busyLabel="Registering..."
      >
        <TextField
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          hint="3 to 32 letters, digits, _ or -"
          {...field('username')}
        />
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <TextField label="Password" type="password" autoComplete="new-password" {...field('password')} />
        <TextField label="Confirm Password" type="password" autoComplete="new-password" {...field('confirm')} />
      </AuthForm>
      <SingleSignOnEntry />
      <p className="muted">
        Already have an account?{' '}
        <Link to="/login" state={location.state}>
          Login
        </Link>
      </p>
    </AuthCard>
  );
}
