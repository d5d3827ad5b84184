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
import { useFields } from '../../lib/use-fields.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { signOut } from '../../session/session.ts';

export function DeleteAccount() {
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
