import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorBox, QueryState } from '../../components/feedback.tsx';
import { BackLink, Page, Panel, Stats } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { IntervalCourse } from '../../ladder/interval-course.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Trial } from '../../lib/types.ts';
import { DifferentHands } from './different-hands.tsx';
import { bigBlinds, estimateText, TrialBadge, useSubmissionNames, verdictText } from './trial-text.tsx';
import './trials.css';

const POLL_MS = 3_000;

/** Shows /trials/:id: verdict, course, and the hands in which the two versions differed most. */
export function TrialPage() {
  const { id = '' } = useParams();
  const trial = useQuery({
    queryKey: queryKeys.trial(id),
    queryFn: ({ signal }) => api.get('/trials/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'playing' ? POLL_MS : false),
  });
  const { data } = trial;
  return (
    <Page
      title="Trial"
      before={<BackLink to="/trials">Trials</BackLink>}
      lead={data && `Started ${formatTime(data.created_at)}`}
      actions={data?.state === 'playing' && <CancelButton id={id} />}
    >
      {isApiError(trial.error, 404) ? (
        <ErrorBox text="There is no such trial among yours." />
      ) : (
        <QueryState what="the trial" query={trial} />
      )}
      {data && <Details trial={data} />}
    </Page>
  );
}

function CancelButton({ id }: { id: string }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api.post('/trials/{id}/cancel', { params: { id } }),
    onSuccess: (ended) => {
      client.setQueryData(queryKeys.trial(id), ended);
      toast.success('The trial is cancelled. What it found so far stays.');
    },
    onError: (error) => toast.error(`Failed to cancel the trial. ${messageOf(error)}`),
  });
  return (
    <Button variant="secondary" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  );
}

function Details({ trial }: { trial: Trial }) {
  const nameOf = useSubmissionNames();
  const { a, b, hands, max_hands, course, different, opponents } = trial;
  return (
    <>
      <Panel title="Verdict">
        <div className="stack">
          <p className="trial-verdict" role="status">
            <TrialBadge trial={trial} /> {verdictText(trial, nameOf(a), nameOf(b))}
          </p>
          {trial.state === 'playing' && (
            <progress className="trial-progress" value={hands} max={max_hands} aria-label="Hands of the budget" />
          )}
          <Stats
            items={[
              { label: 'A less B', value: bigBlinds(trial.estimate), note: 'Big blinds per 100 hands, without luck' },
              { label: 'Hands', value: formatNumber(hands), note: `of ${formatNumber(max_hands)}` },
              { label: 'Deal sets', value: formatNumber(course.length) },
              { label: 'Error', value: `${100 * trial.alpha} %`, note: 'Probability of a wrong verdict' },
            ]}
          />
        </div>
      </Panel>
      <Panel title="Course">
        <Course trial={trial} />
      </Panel>
      <Panel title="Hands that differed most" flush>
        {different.length === 0 ? (
          <p className="panel-body muted">None yet. They appear with the first deal set.</p>
        ) : (
          <>
            <DifferentHands trial={trial} />
            <p className="panel-body muted">Matches are deleted some days after the trial, its result is not.</p>
          </>
        )}
      </Panel>
      <Panel title="How it is played">
        <div className="stack">
          <p>
            A is {nameOf(a)}, B is {nameOf(b)}. Opponents: {opponents.map(({ username }) => username).join(', ')}. A
            deal set has twelve matches of {trial.rotation_hands} hands: six with A, which sits in every seat once, and
            the same six with B. <Link to="/methodology">The test</Link> may be looked at and end at any time.
            {trial.void_sets > 0 &&
              ` Deal sets that do not count, because a match failed or the trial had ended: ${trial.void_sets}.`}
          </p>
          {opponents.every(({ bot }) => bot !== null) ? (
            <p className="cluster">
              <code className="breakable">husky trial A B --like {trial.trial_id}</code>
              <CopyButton text={`husky trial A B --like ${trial.trial_id}`} label="Copy" />
              <span>plays the same at home, with A and B your files.</span>
            </p>
          ) : (
            <p className="muted">The bots of other users are private, so this trial cannot be played at home.</p>
          )}
        </div>
      </Panel>
    </>
  );
}

function Course({ trial: { course, margin } }: { trial: Trial }) {
  const ends = course.flatMap(({ low, high, estimate }) => [low, high, estimate]).filter((value) => value !== null);
  if (course.length < 2) return <p className="muted">It is drawn after the second deal set.</p>;
  const [least, most] = [Math.min(...ends, -margin), Math.max(...ends, margin)];
  const points = course.map(({ hands, estimate, low, high }) => ({
    x: hands,
    value: estimate ?? 0,
    low: low ?? least,
    high: high ?? most,
  }));
  const last = course.at(-1);
  return (
    <>
      <IntervalCourse
        title={`A less B after ${course.length} deal sets: ${last ? estimateText(last) : ''} big blinds per 100 hands`}
        lines={[{ label: '', points }]}
        marks={[-margin, margin]}
      />
      <p className="muted">
        The estimate and its interval over the hands, in big blinds per 100 hands. Dashed: the margin of {margin} on
        both sides of 0.
      </p>
    </>
  );
}
