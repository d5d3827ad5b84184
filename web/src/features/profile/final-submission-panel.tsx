import { useQuery } from '@tanstack/react-query';
import { QueryState } from '../../components/error-box.tsx';
import { FilePane } from '../../components/file-pane.tsx';
import { Panel } from '../../components/page.tsx';
import { api } from '../../lib/api.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';

/** Shows the final submission of a user to admins. */
export function FinalSubmissionPanel({ username }: { username: string }) {
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
