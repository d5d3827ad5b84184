import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CommandLine } from '../../components/code-view.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { QueryState } from '../../components/feedback.tsx';
import { Form, SelectField, TextField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AccessToken } from '../../lib/types.ts';

/** Lists the user's access tokens, makes new ones and revokes them. */
export function AccessTokens() {
  const client = useQueryClient();
  const [revoking, setRevoking] = useState<AccessToken>();
  const list = useQuery({
    queryKey: queryKeys.accessTokens,
    queryFn: async ({ signal }) => (await api.get('/auth/tokens', { signal })).tokens,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => api.delete('/auth/tokens/{id}', { params: { id } }),
    onSuccess: () => toast.success('Access token revoked.'),
    onError: (error) => toast.error(`Failed to revoke the token: ${messageOf(error)}`),
    onSettled: () => {
      setRevoking(undefined);
      return client.invalidateQueries({ queryKey: queryKeys.accessTokens });
    },
  });

  return (
    <Panel title="Access tokens" flush>
      <div className="stack access-tokens-intro">
        <p className="muted">
          With a token, the command <code>husky</code> or a CI of yours uploads and tests bots in your name without your
          password. A token cannot change your account. A new password, and ending all other sessions, revoke all
          tokens.
        </p>
        <NewToken />
      </div>
      <QueryState what="your tokens" query={list} />
      {list.data && list.data.length > 0 && (
        <Table caption="Access tokens" columns={columns(setRevoking)} rows={list.data} rowKey={(token) => token.id} />
      )}
      <ConfirmDialog
        open={revoking !== undefined}
        title="Revoke access token"
        confirmLabel="Revoke"
        busy={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
        onCancel={() => setRevoking(undefined)}
      >
        <p>
          Programs that use the token <strong>{revoking?.name}</strong> will be refused from now on. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

function columns(onRevoke: (token: AccessToken) => void): Column<AccessToken>[] {
  return [
    { label: 'Name', cell: (token) => <span className="token-name">{token.name}</span> },
    { label: 'Scopes', cell: (token) => token.scopes.join(', ') },
    {
      label: 'Last used',
      cell: (token) => (token.last_used_at === null ? 'never' : formatTime(token.last_used_at)),
    },
    {
      label: 'Expires',
      cell: (token) =>
        Date.parse(token.expires_at) > Date.now() ? formatTime(token.expires_at) : <Badge color="red">expired</Badge>,
    },
    {
      label: 'Actions',
      cell: (token) => (
        <Button variant="danger" small onClick={() => onRevoke(token)}>
          Revoke<span className="visually-hidden"> the token {token.name}</span>
        </Button>
      ),
    },
  ];
}

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
function NewToken() {
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
