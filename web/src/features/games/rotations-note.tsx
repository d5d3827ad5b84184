import { Link } from 'react-router';
import type { JobResponse } from '../../lib/types.ts';

/** Names the rotation of a duplicate match and links the other matches of its deal set. Renders nothing for a classic match. */
export function RotationsNote({ status }: { status: JobResponse }) {
  const { rotation, rotations, deleted_rotations: deleted = [], job_id: jobId } = status;
  if (typeof rotation !== 'number') return null;
  const others = (rotations ?? []).filter((one) => one.job_id !== jobId);
  return (
    <nav className="rotations" aria-label="Matches of the deal set">
      <p>
        Duplicate play, rotation {rotation} of 6: the same cards are played in six matches, and every bot sits in every
        seat once.
      </p>
      {deleted.length > 0 && (
        <p>
          {deleted.length === 1
            ? `Rotation ${deleted[0]} was deleted.`
            : `Rotations ${deleted.join(', ')} were deleted.`}
        </p>
      )}
      {others.length > 0 && (
        <ul className="cluster">
          {others.map((one) => (
            <li key={one.job_id}>
              <Link to={`/games/${encodeURIComponent(one.job_id)}`}>
                Rotation {one.rotation}
                {one.job_status === 'Finished' ? '' : ` (${one.job_status.toLowerCase()})`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
