import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { TextField } from '../../components/field.tsx';
import { logIn, loginErrorText } from '../../session/sign-in.ts';
import { AuthCard } from './auth-card.tsx';
import { AuthForm } from './auth-form.tsx';
import { checkLogin } from './form-rules.ts';
import { SingleSignOnEntry } from './single-sign-on-entry.tsx';

export function LoginPage() {
  const location = useLocation();
  const [params] = useSearchParams();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');

  return (
    <AuthCard title="Welcome Back" tabTitle="Login">
      <AuthForm
        check={() => checkLogin({ username, password })}
        // The guard of this page redirects to the return path.
        send={() => logIn(username.trim(), password)}
        explain={loginErrorText}
        label="Login"
        busyLabel="Logging in..."
      >
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </AuthForm>
      <SingleSignOnEntry now={params.has('sso')} />
      <div className="stack">
        <p className="muted">
          Don't have an account?{' '}
          <Link to="/register" state={location.state}>
            Register
          </Link>
        </p>
        <p className="muted">
          <Link to="/forgot-password">Forgot your password?</Link>
        </p>
      </div>
    </AuthCard>
  );
}
