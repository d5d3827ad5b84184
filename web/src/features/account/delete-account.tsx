import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { signOut } from '../../session/session.ts';

export function DeleteAccount() {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  const close = () => {
    setOpen(false);
    setPassword('');
    setError('');
  };
  const remove = async () => {
    setBusy(true);
    setError('');
    try {
      await api.post('/auth/delete-account', { body: { password } });
      toast.success('Your account has been deleted.');
      // Navigates before the session ends, so that no guard saves this page as the return path.
      await navigate('/', { flushSync: true });
      await signOut();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
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
        <Form onSubmit={remove}>
          <p>Your account and its data are deleted permanently. Enter your password to confirm.</p>
          <ErrorBox text={error} />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <div className="cluster">
            <Button variant="ghost" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" variant="danger" disabled={busy || password === ''}>
              Delete account
            </Button>
          </div>
        </Form>
      </Dialog>
    </Panel>
  );
}
