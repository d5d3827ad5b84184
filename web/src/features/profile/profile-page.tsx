import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState, LoadError, Loading, Notice, QueryState } from '../../components/feedback.tsx';
import { Page, Panel, type Stat, Stats, usePageTitle } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { isApiError } from '../../lib/api-error.ts';
import { deltaClass, formatDelta, formatNumber, formatTime } from '../../lib/format.ts';
import { playerPath } from '../../lib/matches.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { githubUrl, type ProfileStats, profileStats } from '../../lib/scores.ts';
import type { LeaderboardEntry, Profile, ProfileResponse } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { PlayedMatches } from './played-matches.tsx';
import './profile.css';
import { FilePane } from '../../components/code-view.tsx';
import { ProfileForm } from './profile-form.tsx';

export function ProfilePage() {
  const { username } = useParams();
  const { user, phase } = useSession();
  // Names are unique case-insensitively.
  const named = username === undefined || username.toLowerCase() === user?.username.toLowerCase();
  const own = user?.is_verified === true && named;
  const otherName = own ? null : (username ?? null);
  const response = useQuery({
    queryKey: queryKeys.profile(own ? (user?.username ?? null) : otherName),
    queryFn: ({ signal }) =>
      username === undefined || own
        ? api.get('/profile', { signal })
        : api.get('/profile/{username}', { params: { username }, signal }),
    // Before the sign-in check has ended it is unknown whether this is the user's own profile.
    enabled: phase !== 'checking',
  });

  if (response.isPending) return <Loading />;
  if (response.isError) {
    if (isApiError(response.error, 404)) return <UnknownUser />;
    return (
      <Page title="Profile">
        <LoadError what="the profile" query={response} />
      </Page>
    );
  }
  return <ProfileView response={response.data} own={own} admin={user?.admin ?? false} />;
}

function UnknownUser() {
  usePageTitle('User not found');
  return (
    <Notice title="User not found" code="404">
      <p>There is no user with this name.</p>
      <ButtonLink to="/">Go to Home</ButtonLink>
    </Notice>
  );
}

/** Returns numbers of submissions if the response has them, else of scores, which are public. */
function activityOf(
  { submissions, leaderboard_entries_count: entriesCount }: ProfileResponse,
  stats: ProfileStats,
): { count: Stat; last: Stat } {
  return submissions
    ? {
        count: { label: 'Submissions', value: submissions.count },
        last: { label: 'Last Submission', value: formatTime(submissions.last_created_at), text: true },
      }
    : {
        count: { label: 'Scores', value: entriesCount },
        last: { label: 'Last Score', value: formatTime(stats.lastAt), text: true },
      };
}

function ProfileView({ response, own, admin }: { response: ProfileResponse; own: boolean; admin: boolean }) {
  const { profile, leaderboard_entries: entries } = response;
  const stats = profileStats(entries);
  const activity = activityOf(response, stats);
  return (
    <Page
      title={
        <span className="profile-head">
          {profile.username}
          {profile.admin && <Badge color="yellow">ADMIN</Badge>}
        </span>
      }
      tabTitle={own ? 'Your profile' : profile.username}
      actions={
        <>
          <ButtonLink to={playerPath(profile.username)} variant="ghost">
            Matches and results
          </ButtonLink>
          {own && (
            <ButtonLink to="/account" variant="ghost">
              Account settings
            </ButtonLink>
          )}
        </>
      }
    >
      <Panel title="Performance Stats">
        <Stats
          items={[
            activity.count,
            { label: 'Best Score', value: <Score value={stats.best} /> },
            { label: 'Latest Score', value: <Score value={stats.latest} /> },
            activity.last,
          ]}
        />
      </Panel>
      <div className="columns">
        <ProfileInfo profile={profile} own={own} />
        <Panel title="Recent Scores" flush>
          <RecentScores entries={stats.recent} total={response.leaderboard_entries_count} />
        </Panel>
      </div>
      {(own || admin) && <PlayedMatches key={profile.username} username={profile.username} />}
      {admin && <FinalSubmissionPanel username={profile.username} />}
    </Page>
  );
}

function Score({ value }: { value: number | null }) {
  return value === null ? '—' : <span className={deltaClass(value)}>{formatDelta(value)}</span>;
}

function ProfileInfo({ profile, own }: { profile: Profile; own: boolean }) {
  const [editing, setEditing] = useState(false);
  const github = githubUrl(profile.github);
  return (
    <Panel
      title="Profile Info"
      actions={
        own &&
        !editing && (
          <Button variant="secondary" small onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      {editing ? (
        <ProfileForm profile={profile} onDone={() => setEditing(false)} />
      ) : (
        <dl className="info-list">
          <Info label="Username" value={`@${profile.username}`} />
          <Info label="Name" value={profile.name} />
          {profile.email && <Info label="Email" value={profile.email_unicode ?? profile.email} />}
          <div>
            <dt>GitHub</dt>
            <dd>{github ? <a href={github}>{profile.github}</a> : profile.github || '—'}</dd>
          </div>
          <Info label="Discord" value={profile.discord_username} />
          <Info label="About" value={profile.about} />
        </dl>
      )}
    </Panel>
  );
}

function Info({ label, value }: { label: string; value: string | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value || '—'}</dd>
    </div>
  );
}

function RecentScores({ entries, total }: { entries: LeaderboardEntry[]; total: number }) {
  const [all, setAll] = useState(false);
  if (entries.length === 0) return <EmptyState title="No scores yet" />;
  const columns: Column<LeaderboardEntry>[] = [
    { label: 'Date', cell: (entry) => formatTime(entry.time_created) },
    { label: 'Tag', cell: (entry) => (entry.tag ? <Badge color="grey">{entry.tag}</Badge> : '—') },
    {
      label: 'Delta Money',
      align: 'end',
      cell: (entry) => <span className={`mono-number ${deltaClass(entry.score)}`}>{formatDelta(entry.score)}</span>,
    },
  ];
  return (
    <>
      <Table
        caption="Recent Scores"
        columns={columns}
        rows={all ? entries : entries.slice(0, 10)}
        rowKey={(entry) => entry.id}
      />
      {!all && entries.length > 10 && (
        <div className="panel-body">
          <Button variant="ghost" small onClick={() => setAll(true)}>
            Show all {entries.length}
          </Button>
        </div>
      )}
      {total > entries.length && (
        <p className="panel-body muted">
          The best {formatNumber(entries.length)} of {formatNumber(total)} entries.
        </p>
      )}
    </>
  );
}

/** Shows the final submission of a user to admins. */
function FinalSubmissionPanel({ username }: { username: string }) {
  const final = useQuery({
    queryKey: queryKeys.finalSubmission(username),
    queryFn: ({ signal }) => api.get('/admin/user-final-submission/{username}', { params: { username }, signal }),
  });
  return (
    <Panel title="Final Submission">
      <QueryState what="the final submission" query={final} />
      {final.data && !final.data.has_final_submission && (
        <p className="muted">{final.data.message || 'This user has no final submission.'}</p>
      )}
      {final.data?.has_final_submission && (
        <div className="stack">
          <p className="muted">
            Submission {final.data.submission_id}, created {formatTime(final.data.created_at)}
          </p>
          <div className="panes">
            {final.data.player_file && <FilePane fileId={final.data.player_file} fileName="player.py" />}
            {final.data.package_file && <FilePane fileId={final.data.package_file} fileName="requirements.txt" />}
          </div>
        </div>
      )}
    </Panel>
  );
}
