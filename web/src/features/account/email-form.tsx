import { useState } from 'react';
import { ErrorBox } from '../../components/error-box.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { useFields } from '../../lib/use-fields.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { useSession } from '../../session/session.ts';

const EMPTY = { email: '', password: '' };

/** Changes the e-mail address. The change takes effect when the link mailed to the new address is opened. */
export function EmailForm() {
  const { user } = useSession();
  const { fields: form, setFields: setForm, bind } = useFields(EMPTY);
  const [message, setMessage] = useState('');
  const { error, busy, submit } = useSubmit();

  const send = async () => {
    const body = { current_password: form.password, new_email: form.email.trim() };
    const response = await api.post('/auth/change-email', { body });
    setForm(EMPTY);
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
