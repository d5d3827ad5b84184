import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { Form, SubmitButton, TextField } from '../../components/form.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { realmUrl, useAppConfig } from '../../lib/app-config.ts';
import { saveBlob } from '../../lib/download.ts';
import { useFields, useSubmit } from '../../lib/forms.ts';
import type { KeycloakSettings } from '../../lib/types.ts';
import { signIn, signOut, useSession } from '../../session/session.ts';
import { AccessTokens } from './access-tokens.tsx';
import { NoticesForm } from './notices-form.tsx';
import { SessionList } from './session-list.tsx';

/** Shows /account: password, e-mail address, access tokens, sessions, export and deletion of the user's own account. */
export function AccountPage() {
  const { keycloak } = useAppConfig();
  return (
    <Page title="Account settings" before={<BackLink to="/profile">Your profile</BackLink>}>
      {keycloak && <KeycloakPanel settings={keycloak} />}
      <div className="columns">
        <div className="stack">
          <PasswordForm />
          <EmailForm />
        </div>
        <div className="stack">
          <NoticesForm />
          <ExportPanel />
          <DeleteAccount />
        </div>
      </div>
      <AccessTokens />
      <SessionList />
    </Page>
  );
}

function KeycloakPanel({ settings }: { settings: KeycloakSettings }) {
  return (
    <Panel title="Single sign-on">
      <div className="stack">
        <p>Your account is managed by your organisation's single sign-on.</p>
        <p className="muted">
          Changes made here also apply there. If you sign in with another provider, you have no password here; manage
          your account <a href={`${realmUrl(settings)}/account`}>at single sign-on</a>.
        </p>
      </div>
    </Panel>
  );
}

function ExportPanel() {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveBlob(await api.blob('/auth/export'), `${user?.username ?? 'account'}.json`);
    } catch (error) {
      toast.error(`Failed to export your data: ${messageOf(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Your data">
      <div className="stack">
        <p className="muted">All data that the platform stores about you, as a JSON file.</p>
        <div>
          <Button variant="secondary" disabled={busy} onClick={() => void save()}>
            Download
          </Button>
        </div>
      </div>
    </Panel>
  );
}

const EMPTY_EMAIL_FORM = { email: '', password: '' };

/** Changes the e-mail address. The change takes effect when the link mailed to the new address is opened. */
function EmailForm() {
  const { user } = useSession();
  const { fields: form, setFields: setForm, bind } = useFields(EMPTY_EMAIL_FORM);
  const [message, setMessage] = useState('');
  const { error, busy, submit } = useSubmit();

  const send = async () => {
    const body = { current_password: form.password, new_email: form.email.trim() };
    const response = await api.post('/auth/change-email', { body });
    setForm(EMPTY_EMAIL_FORM);
    setMessage(response.message);
  };
  const save = () => {
    setMessage('');
    const missing = form.email.trim() === '' || form.password === '';
    return submit(send, missing ? 'Please fill in all fields' : '');
  };

  return (
    <Panel title="Change e-mail address">
      <Form onSubmit={save}>
        <p className="muted">
          Your address is <strong>{user?.email_unicode ?? user?.email}</strong>.
        </p>
        <ErrorBox text={error} />
        <p role="status" className={message ? 'positive' : 'visually-hidden'}>
          {message}
        </p>
        <TextField label="New e-mail address" type="email" autoComplete="email" {...bind('email')} />
        <TextField label="Your password" type="password" autoComplete="current-password" {...bind('password')} />
        <div>
          <SubmitButton busy={busy} label="Send link" busyLabel="Sending..." />
        </div>
      </Form>
    </Panel>
  );
}

const EMPTY_PASSWORD_FORM = { current: '', fresh: '', confirm: '' };

function problemOf(form: typeof EMPTY_PASSWORD_FORM): string {
  if (Object.values(form).some((value) => value === '')) return 'Please fill in all fields';
  return form.fresh === form.confirm ? '' : 'Passwords do not match';
}

function PasswordForm() {
  const { fields: form, setFields: setForm, bind } = useFields(EMPTY_PASSWORD_FORM);
  const { error, busy, submit } = useSubmit();

  const save = async () => {
    const body = { current_password: form.current, new_password: form.fresh };
    const { access_token } = await api.post('/auth/change-password', { body });
    // The server has ended all other sessions; this one continues with the new token.
    await signIn(access_token);
    setForm(EMPTY_PASSWORD_FORM);
    toast.success('Password changed. Your other sessions and all access tokens have ended.');
  };

  return (
    <Panel title="Change password">
      <Form onSubmit={() => submit(save, problemOf(form))} error={error}>
        <TextField label="Current password" type="password" autoComplete="current-password" {...bind('current')} />
        <TextField label="New password" type="password" autoComplete="new-password" {...bind('fresh')} />
        <TextField label="Confirm new password" type="password" autoComplete="new-password" {...bind('confirm')} />
        <div>
          <SubmitButton busy={busy} label="Change password" busyLabel="Saving..." />
        </div>
      </Form>
    </Panel>
  );
}

function DeleteAccount() {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const { fields, setFields, bind } = useFields({ password: '' });
  const { error, busy, submit, clearError } = useSubmit();

  const close = () => {
    setOpen(false);
    setFields({ password: '' });
    clearError();
  };
  const remove = async () => {
    await api.post('/auth/delete-account', { body: fields });
    toast.success('Your account has been deleted.');
    // Navigates before the session ends, so that no guard saves this page as the return path.
    await navigate('/', { flushSync: true });
    await signOut();
  };

  return (
    <Panel title="Delete account">
      <div className="stack">
        <p className="muted">
          Your submissions, jobs and leaderboard entries are deleted too. Finished matches are kept without your name.
          This cannot be undone.
        </p>
        <div>
          <Button variant="danger" onClick={() => setOpen(true)}>
            Delete account
          </Button>
        </div>
      </div>
      <Dialog open={open} title="Delete account" tone="danger" onClose={close}>
        <Form onSubmit={() => submit(remove)}>
          <p>Your account and its data are deleted permanently. Enter your password to confirm.</p>
          <ErrorBox text={error} />
          <TextField label="Password" type="password" autoComplete="current-password" {...bind('password')} />
          <div className="cluster">
            <Button variant="ghost" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" variant="danger" disabled={busy || fields.password === ''}>
              Delete account
            </Button>
          </div>
        </Form>
      </Dialog>
    </Panel>
  );
}
