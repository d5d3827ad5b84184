import { Link, useLocation, useSearchParams } from 'react-router';
import { TextField } from '../../components/form.tsx';
import { useFields } from '../../lib/forms.ts';
import { logIn, loginErrorText } from '../../session/sign-in.ts';
import { AuthCard, AuthForm, checkLogin } from './auth-form.tsx';
import { SingleSignOnEntry } from './single-sign-on-entry.tsx';

export function LoginPage() {
  const location = useLocation();
  const [params] = useSearchParams();
  const { fields, bind } = useFields({ username: '', password: '' });

  return (
    <AuthCard title="Welcome Back" tabTitle="Login">
      <AuthForm
        check={() => checkLogin(fields)}
        // The guard of this page redirects to the return path.
        send={() => logIn(fields.username.trim(), fields.password)}
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
          {...bind('username')}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          {...bind('password')}
        />
      </AuthForm>
      <SingleSignOnEntry immediate={params.has('sso')} />
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
