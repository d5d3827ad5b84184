import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { QueryState } from '../../components/error-box.tsx';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { AccessToken } from '../../lib/types.ts';
import { NewToken } from './new-token.tsx';

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
