import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChallengeChoice } from '../../challenges/challenge-choice.tsx';
import { Badge } from '../../components/badge.tsx';
import { BotUpload } from '../../components/bot-upload.tsx';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { LadderSwitch } from '../../ladder/own-ladder.tsx';
import { api } from '../../lib/api.ts';
import { drawNonce, keepNonce } from '../../lib/bot-files.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import { DiffPanel } from './diff-panel.tsx';
import { SubmissionList } from './submission-list.tsx';
import './submissions.css';

const MAX_SUBMISSIONS = 5;
const POLL_MS = 2_000;
const OPEN = ['waiting', 'running'];

export function SubmissionsPage() {
  const client = useQueryClient();
  const submissions = useQuery({
    queryKey: queryKeys.submissions,
    queryFn: ({ signal }) => api.get('/submission/list', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.files.some((one) => OPEN.includes(one.test_run ?? '')) ? POLL_MS : POLL_OWN_JOBS_MS,
  });

  const upload = async (player: File, requirements: File) => {
    const form = new FormData();
    form.set('playerFile', player);
    form.set('requirementsFile', requirements);
    const nonce = drawNonce();
    const { state, warnings } = await api.post('/submission/upload', { body: form, query: { nonce } });
    await keepNonce(nonce, player, requirements);
    toast.success(
      state === 'preparing'
        ? 'Submission stored. Its packages are still being prepared.'
        : 'Submission stored. Its test run starts by itself.',
    );
    await client.invalidateQueries({ queryKey: queryKeys.submissions });
    return warnings;
  };

  const files = submissions.data?.files ?? [];
  return (
    <Page
      title="Submissions"
      lead={`Keep up to ${MAX_SUBMISSIONS} versions. The one marked as final is entered in the main tournament.`}
    >
      <div className="columns columns-lead">
        <Panel
          title="My Submissions"
          flush
          actions={
            <Badge color={files.length >= MAX_SUBMISSIONS ? 'yellow' : 'accent'}>
              {files.length} of {MAX_SUBMISSIONS}
            </Badge>
          }
        >
          <QueryState what="submissions" query={submissions} padded />
          {submissions.data && files.length === 0 && (
            <EmptyState title="No submissions yet" text="Upload player.py and requirements.txt to enter a bot." />
          )}
          {files.length > 0 && <SubmissionList submissions={files} />}
        </Panel>
        <div className="stack">
          <Panel title="Upload a submission">
            <BotUpload
              cooldownName="submission"
              missingText="Both player.py and requirements.txt must be selected"
              submitLabel="Upload Submission"
              upload={upload}
            />
          </Panel>
          <LadderSwitch />
          <ChallengeChoice />
        </div>
      </div>
      {files.length > 1 && <DiffPanel submissions={files} />}
    </Page>
  );
}
