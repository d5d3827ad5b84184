import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { invalidateUsers } from '../../lib/query-keys.ts';
import type { AdminUser } from '../../lib/types.ts';
import { QuotaDialog } from './quota-dialog.tsx';

type Change = {
  user: AdminUser;
  /** Question of the confirmation dialog; '' for none. */
  question: string;
  label: string;
  destructive?: boolean;
  send: () => Promise<unknown>;
  successText: string;
  failureText: string;
};

// Each call sends the requested state, not a toggle: of two simultaneous admins the second one must not undo the first one's change.
function adminChange(user: AdminUser): Change {
  const { username, admin } = user;
  return {
    user,
    question: admin
      ? `Revoke admin for ${username}? They lose access to the admin pages immediately.`
      : `Grant admin to ${username}? They can then do everything that you can do, including deleting users and matches.`,
    label: admin ? 'Revoke admin' : 'Grant admin',
    destructive: admin,
    send: () => api.post('/admin/toggle-admin/{username}', { params: { username }, body: { admin: !admin } }),
    successText: `${username} is ${admin ? 'no longer' : 'now'} an admin.`,
    failureText: 'Failed to update admin status:',
  };
}

function verifiedChange(user: AdminUser): Change {
  const { username, is_verified: verified } = user;
  return {
    user,
    question: verified
      ? `Unverify ${username}? They lose access to uploads, test runs and the leaderboard immediately.`
      : '',
    label: 'Unverify',
    send: () => api.post('/admin/verify-user/{username}', { params: { username }, body: { is_verified: !verified } }),
    successText: `${username} is ${verified ? 'no longer' : 'now'} verified.`,
    failureText: 'Failed to update verification status:',
  };
}

function deletion(user: AdminUser): Change {
  const { username } = user;
  return {
    user,
    question: `Are you sure you want to delete ${username}? This is permanent and cannot be undone: the user's submissions, jobs and leaderboard entries are deleted too.`,
    label: 'Delete user',
    send: () => api.delete('/admin/user/{username}', { params: { username } }),
    successText: `${username} deleted.`,
    failureText: 'Failed to delete user:',
  };
}

/** Returns an admin's actions on other users and their confirmation dialog. */
export function useUserActions() {
  const client = useQueryClient();
  const [toConfirm, setToConfirm] = useState<Change | null>(null);
  const [quotaUser, setQuotaUser] = useState<string | null>(null);
  const change = useMutation({
    mutationFn: ({ send }: Change) => send(),
    onSuccess: (_response, { successText }) => toast.success(successText),
    onError: (error, { failureText }) => toast.error(`${failureText} ${messageOf(error)}`),
    onSettled: () => {
      setToConfirm(null);
      return invalidateUsers(client);
    },
  });
  const confirmOrSend = (next: Change) => (next.question === '' ? change.mutate(next) : setToConfirm(next));

  const buttons = (user: AdminUser) => (
    <div className="cell-actions">
      <Button variant="secondary" small disabled={change.isPending} onClick={() => confirmOrSend(adminChange(user))}>
        {user.admin ? 'REVOKE ADMIN' : 'GRANT ADMIN'}
        <span className="visually-hidden"> for {user.username}</span>
      </Button>
      <Button variant="secondary" small disabled={change.isPending} onClick={() => confirmOrSend(verifiedChange(user))}>
        {user.is_verified ? 'UNVERIFY' : 'VERIFY'}
        <span className="visually-hidden"> {user.username}</span>
      </Button>
      <Button variant="secondary" small onClick={() => setQuotaUser(user.username)}>
        QUOTA…<span className="visually-hidden"> of {user.username}</span>
      </Button>
      <ButtonLink to={`/profile/${encodeURIComponent(user.username)}`} variant="ghost" small>
        VIEW<span className="visually-hidden"> {user.username}</span>
      </ButtonLink>
      <Button variant="danger" small disabled={change.isPending} onClick={() => confirmOrSend(deletion(user))}>
        DELETE<span className="visually-hidden"> {user.username}</span>
      </Button>
    </div>
  );
  const dialog = (
    <>
      <QuotaDialog username={quotaUser} onClose={() => setQuotaUser(null)} />
      <ConfirmDialog
        open={toConfirm !== null}
        title={toConfirm?.label ?? ''}
        confirmLabel={toConfirm?.label ?? ''}
        destructive={toConfirm?.destructive ?? true}
        busy={change.isPending}
        onConfirm={() => toConfirm && change.mutate(toConfirm)}
        onCancel={() => setToConfirm(null)}
      >
        <p>{toConfirm?.question}</p>
      </ConfirmDialog>
    </>
  );
  return { buttons, dialog };
}
