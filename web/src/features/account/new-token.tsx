import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CommandLine } from '../../components/command-line.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import './access-tokens.css';

const DAYS = [7, 30, 90, 365];
const SCOPES = [
  { name: 'read', label: 'Read my jobs, logs and downloads' },
  { name: 'submit', label: 'Upload and test bots, choose the final one' },
] as const;
type ScopeName = (typeof SCOPES)[number]['name'];
const EMPTY = { name: '', days: 30, scopes: ['read', 'submit'] as ScopeName[] };

function problemOf(form: typeof EMPTY): string {
  if (form.name.trim() === '') return 'Please give the token a name';
  return form.scopes.length === 0 ? 'Please choose at least one scope' : '';
}

/** Creates an access token by a form, and shows its secret once, in a dialog. */
export function NewToken() {
  const client = useQueryClient();
  const [form, setForm] = useState(EMPTY);
  const [problem, setProblem] = useState('');
  const [secret, setSecret] = useState('');
  const create = useMutation({
    mutationFn: () =>
      api.post('/auth/tokens', {
        body: { name: form.name.trim(), scopes: form.scopes, expires_in_days: form.days },
      }),
    onSuccess: (token) => {
      setSecret(token.secret);
      setForm(EMPTY);
      return client.invalidateQueries({ queryKey: queryKeys.accessTokens });
    },
    onError: (error) => setProblem(messageOf(error)),
  });
  const submit = () => {
    const found = problemOf(form);
    setProblem(found);
    if (found === '') create.mutate();
  };
  const toggle = (scope: ScopeName, checked: boolean) => {
    const others = form.scopes.filter((name) => name !== scope);
    setForm({ ...form, scopes: checked ? others.concat(scope) : others });
  };

  return (
    <Form onSubmit={submit} error={problem}>
      <div className="token-form">
        <TextField
          label="Name of the token"
          placeholder="my laptop"
          maxLength={60}
          autoComplete="off"
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <SelectField
          label="Expires after"
          value={form.days}
          onChange={(event) => setForm({ ...form, days: Number(event.target.value) })}
        >
          {DAYS.map((days) => (
            <option key={days} value={days}>
              {days} days
            </option>
          ))}
        </SelectField>
      </div>
      <fieldset className="stack plain-fieldset">
        <legend className="muted">The token may</legend>
        {SCOPES.map(({ name, label }) => (
          <label key={name} className="cluster">
            <input
              type="checkbox"
              className="check"
              checked={form.scopes.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div>
        <Button type="submit" disabled={create.isPending}>
          Create token
        </Button>
      </div>
      <SecretDialog secret={secret} onClose={() => setSecret('')} />
    </Form>
  );
}

/** Shows a new secret and the command that stores it. The server cannot show the secret again. */
function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const command = `husky login --site ${location.origin}`;
  return (
    <Dialog
      open={secret !== ''}
      title="Your new access token"
      onClose={onClose}
      actions={<Button onClick={onClose}>I have saved it</Button>}
    >
      <div className="stack">
        <p>Copy the token now. It is not shown again.</p>
        <CommandLine text={secret} label="Copy token" />
        <p className="muted">Then run this command and paste the token when it asks, or set HUSKY_TOKEN in your CI:</p>
        <CommandLine text={command} label="Copy command" />
      </div>
    </Dialog>
  );
}
