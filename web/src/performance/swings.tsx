import { Link } from 'react-router';
import { useHighlights } from '../broadcast/use-stored-job.ts';

/** Lists the hands of a finished match with the largest swings of equity times pot, with links to their replays. */
export function Swings({ jobId }: { jobId: string }) {
  const highlights = useHighlights(jobId, true).data?.highlights.filter(({ swing }) => swing > 0) ?? [];
  if (highlights.length === 0) return null;
  return (
    <section aria-label="Swings">
      <h3 className="performance-heading">Swings</h3>
      <ol className="swings">
        {highlights.map(({ game_id: gameId, hand_number: hand, sentence }) => (
          <li key={gameId}>
            <Link to={`/replay/${encodeURIComponent(gameId)}`}>Hand #{hand}</Link> <bdi>{sentence}</bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
