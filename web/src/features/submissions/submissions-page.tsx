import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ChallengeChoice } from '../../challenges/challenge-choice.tsx';
import { Badge } from '../../components/badge.tsx';
import { BotUpload } from '../../components/bot-upload.tsx';
import { EmptyState, QueryState } from '../../components/feedback.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { LadderSwitch } from '../../ladder/own-ladder.tsx';
import { api } from '../../lib/api.ts';
import { POLL_OWN_JOBS_MS, queryKeys } from '../../lib/query-keys.ts';
import { useSubmissionUpload } from '../../lib/submission-upload.ts';
import { DiffPanel } from './diff-panel.tsx';
import { SubmissionList } from './submission-list.tsx';
import './submissions.css';

const MAX_SUBMISSIONS = 5;
const POLL_MS = 2_000;
const OPEN = ['waiting', 'running'];

export function SubmissionsPage() {
  const upload = useSubmissionUpload();
  const submissions = useQuery({
    queryKey: queryKeys.submissions,
    queryFn: ({ signal }) => api.get('/submission/list', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.files.some((one) => OPEN.includes(one.test_run ?? '')) ? POLL_MS : POLL_OWN_JOBS_MS,
  });

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
              upload={async (player, requirements) => (await upload(player, requirements)).warnings}
            />
          </Panel>
          <LadderSwitch />
          <ChallengeChoice />
        </div>
      </div>
      {files.length > 0 && (
        <Panel title="Is my new version better?">
          <p>
            <Link to="/trials">A trial</Link> lets two of your versions play the same cards in the same seats against
            the same opponents, until it is known which is better.
          </p>
        </Panel>
      )}
      {files.length > 1 && <DiffPanel submissions={files} />}
    </Page>
  );
}
