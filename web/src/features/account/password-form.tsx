import { TextField } from '../../components/field.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { useFields } from '../../lib/use-fields.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { signIn } from '../../session/session.ts';

const EMPTY = { current: '', fresh: '', confirm: '' };

function problemOf(form: typeof EMPTY): string {
  if (Object.values(form).some((value) => value === '')) return 'Please fill in all fields';
  return form.fresh === form.confirm ? '' : 'Passwords do not match';
}

export function PasswordForm() {
  const { fields: form, setFields: setForm, bind } = useFields(EMPTY);
  const { error, busy, submit } = useSubmit();

  const save = async () => {
    const body = { current_password: form.current, new_password: form.fresh };
    const { access_token } = await api.post('/auth/change-password', { body });
    // The server has ended all other sessions; this one continues with the new token.
    await signIn(access_token);
    setForm(EMPTY);
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
