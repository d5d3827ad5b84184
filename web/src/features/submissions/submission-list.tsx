import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { FilePane } from '../../components/code-view.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useAppConfig } from '../../lib/app-config.ts';
import { formatTime } from '../../lib/format.ts';
import { botReportPath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Submission } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { doubtOf, OutcomeBadge, OutcomeDetails } from './test-outcome.tsx';

export function SubmissionList({ submissions }: { submissions: Submission[] }) {
  const client = useQueryClient();
  const username = useSession().user?.username ?? '';
  const { frozen } = useAppConfig();
  const [openId, setOpenId] = useState<string | null>(null);
  const [toDelete, setToDelete] = useState<Submission | null>(null);
  const [toConfirm, setToConfirm] = useState<Submission | null>(null);
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.submissions });

  const mark = useMutation({
    mutationFn: (submission: Submission) =>
      api.post(submission.final ? '/submission/unmark_final' : '/submission/mark_final', {
        body: { submission_id: submission.id },
      }),
    onSuccess: (_response, submission) =>
      toast.success(submission.final ? 'The submission is no longer final.' : 'Marked as the final submission.'),
    onError: (error, submission) =>
      toast.error(`Failed to ${submission.final ? 'unmark' : 'mark'} the submission: ${messageOf(error)}`),
    onSettled: () => {
      setToConfirm(null);
      return reload();
    },
  });
  const confirmOrMark = (submission: Submission) =>
    !submission.final && doubtOf(submission) !== '' ? setToConfirm(submission) : mark.mutate(submission);
  const removal = useMutation({
    mutationFn: (submission: Submission) => api.delete('/submission/{id}', { params: { id: submission.id } }),
    onSuccess: (_response, submission) => {
      if (openId === submission.id) setOpenId(null);
      toast.success('Submission deleted.');
    },
    onError: (error) => toast.error(`Failed to delete the submission: ${messageOf(error)}`),
    onSettled: () => {
      setToDelete(null);
      return reload();
    },
  });

  return (
    <>
      <ul className="submission-list">
        {submissions.map((submission, index) => {
          const open = submission.id === openId;
          const when = formatTime(submission.created_at);
          return (
            <li key={submission.id} className={submission.final ? 'submission submission-final' : 'submission'}>
              <div className="submission-row">
                <button
                  type="button"
                  className="submission-toggle"
                  aria-expanded={open}
                  aria-controls={`files-${submission.id}`}
                  onClick={() => setOpenId(open ? null : submission.id)}
                >
                  <Icon name="chevron" />
                  <span className="submission-name">
                    <b>Submission {index + 1}</b>
                    <time className="muted" dateTime={submission.created_at}>
                      {when}
                    </time>
                  </span>
                </button>
                {submission.state === 'ready' && <OutcomeBadge submission={submission} username={username} />}
                {submission.state === 'preparing' && (
                  <Badge color="yellow">Preparing packages: {submission.step ?? 'waiting'}</Badge>
                )}
                {submission.state === 'refused' && <Badge color="red">Packages refused</Badge>}
                {submission.final && <Badge color="green">Final</Badge>}
                <div className="cell-actions">
                  <Button
                    variant="secondary"
                    small
                    disabled={mark.isPending || frozen === true || submission.state !== 'ready'}
                    title={whyNotMarkable(submission, frozen === true)}
                    aria-label={`${submission.final ? 'Unmark' : 'Mark Final'}, submission of ${when}`}
                    onClick={() => confirmOrMark(submission)}
                  >
                    {submission.final ? 'Unmark' : 'Mark Final'}
                  </Button>
                  <Button
                    variant="danger"
                    small
                    aria-label={`Delete, submission of ${when}`}
                    onClick={() => setToDelete(submission)}
                  >
                    Delete
                  </Button>
                </div>
              </div>
              {submission.reason !== '' && (
                <p className="submission-reason muted breakable" role="status">
                  {submission.state === 'preparing' && 'It is tried again: '}
                  {submission.reason}
                </p>
              )}
              <div className="submission-outcome">
                <OutcomeDetails submission={submission} username={username} />
              </div>
              <div id={`files-${submission.id}`} hidden={!open}>
                {open && (
                  <div className="panes submission-files">
                    <FilePane fileId={submission.player_file} fileName="player.py" />
                    <FilePane fileId={submission.package_file} fileName="requirements.txt" />
                  </div>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={toConfirm !== null}
        title={toConfirm?.test_run === 'failed' ? 'Mark a bot that failed?' : 'Mark an untested bot?'}
        confirmLabel="Mark it anyway"
        busy={mark.isPending}
        onConfirm={() => toConfirm && mark.mutate(toConfirm)}
        onCancel={() => setToConfirm(null)}
      >
        <p className="breakable">{toConfirm && doubtOf(toConfirm)}</p>
        {toConfirm?.last_test_run && (
          <p>
            <Link to={botReportPath(toConfirm.last_test_run.job_id, username)}>View the test run</Link>
          </p>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={toDelete !== null}
        title="Delete submission"
        confirmLabel="Delete"
        busy={removal.isPending}
        onConfirm={() => toDelete && removal.mutate(toDelete)}
        onCancel={() => setToDelete(null)}
      >
        <p>
          Are you sure you want to delete the submission of {formatTime(toDelete?.created_at)}? This cannot be undone.
          {toDelete?.final && ' It is your final submission: without another one you are out of the tournament.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

function whyNotMarkable({ state }: Submission, frozen: boolean): string | undefined {
  if (state === 'preparing') return 'Possible when its packages are ready';
  if (state === 'refused') return 'Its packages cannot be used';
  return frozen ? 'Refused while the event is frozen' : undefined;
}
