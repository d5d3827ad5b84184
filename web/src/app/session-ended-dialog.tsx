import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorBox } from '../components/feedback.tsx';
import { Form, SubmitButton, TextField } from '../components/form.tsx';
import { useAppConfig } from '../lib/app-config.ts';
import { useFields, useSubmit } from '../lib/forms.ts';
import { dismissEndedSession, useSession } from '../session/session.ts';
import { logIn, loginErrorText } from '../session/sign-in.ts';

/** Asks for the password in a dialog over the open page when the session ends, so that forms keep their input. */
export function SessionEndedDialog() {
  const { ended, user } = useSession();
  const { identity } = useAppConfig();
  const { fields, setFields, bind } = useFields({ password: '' });
  const { error, busy, submit } = useSubmit(loginErrorText);
  if (!ended || user === null) return null;

  const send = async () => {
    await logIn(user.username, fields.password);
    setFields({ password: '' });
  };
  const problem = fields.password === '' ? 'Please enter both username and password' : '';

  return (
    <Dialog open title="Your session has ended" onClose={dismissEndedSession}>
      <Form onSubmit={() => submit(send, problem)}>
        <p>Log in again to continue. What you typed on this page is kept.</p>
        <ErrorBox text={error} />
        <TextField label="Username" value={user.username} readOnly autoComplete="username" />
        <TextField label="Password" type="password" autoComplete="current-password" {...bind('password')} />
        {identity === 'keycloak' && (
          <p>
            <a href="/login?sso" target="_blank" rel="noopener">
              Sign in with single sign-on
            </a>{' '}
            <span className="muted">in another tab. This page then continues automatically.</span>
          </p>
        )}
        <div className="cluster">
          <SubmitButton busy={busy} label="Login" busyLabel="Logging in..." />
          <Button variant="ghost" onClick={dismissEndedSession}>
            Stay signed out
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
