import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { isApiError } from '../../lib/api.ts';
import { useAppConfig } from '../../lib/app-config.ts';
import { register, registerErrorText } from '../../lib/identity.ts';
import { AuthCard } from './auth-card.tsx';
import { checkRegistration } from './form-rules.ts';
import { KeycloakEntry } from './keycloak-entry.tsx';

export function RegisterPage() {
  const config = useAppConfig();
  return (
    <AuthCard title="Create Your Account" tabTitle="Register">
      {config.identity === 'keycloak' ? <KeycloakEntry config={config} action="register" /> : <RegisterForm />}
    </AuthCard>
  );
}

const EMPTY = { username: '', email: '', password: '', confirm: '' };

function RegisterForm() {
  const location = useLocation();
  const [form, setForm] = useState(EMPTY);
  const [error, setError] = useState('');
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const bind = (name: keyof typeof EMPTY) => ({
    name,
    value: form[name],
    required: true,
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setForm({ ...form, [name]: event.target.value }),
    ...(fieldErrors[name] ? { error: fieldErrors[name] } : {}),
  });

  const submit = async () => {
    const problem = checkRegistration(form);
    setError(problem);
    setFieldErrors({});
    if (problem !== '') return;
    setBusy(true);
    try {
      await register({ username: form.username.trim(), email: form.email.trim(), password: form.password });
    } catch (failure) {
      setError(registerErrorText(failure));
      if (isApiError(failure)) {
        setFieldErrors(
          Object.fromEntries(failure.errors.map((entry) => [entry.field.split('.').at(-1), entry.message])),
        );
      }
    } finally {
      setBusy(false);
    }
  };

  return (
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
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint="3 to 32 letters, digits, _ or -"
        {...bind('username')}
      />
      <TextField label="Email" type="email" autoComplete="email" {...bind('email')} />
      <TextField label="Password" type="password" autoComplete="new-password" {...bind('password')} />
      <TextField label="Confirm Password" type="password" autoComplete="new-password" {...bind('confirm')} />
      <Button type="submit" disabled={busy}>
        {busy ? 'Registering...' : 'Register'}
      </Button>
      <p className="muted">
        Already have an account?{' '}
        <Link to="/login" state={location.state}>
          Login
        </Link>
      </p>
    </form>
  );
}
