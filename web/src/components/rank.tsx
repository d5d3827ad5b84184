import { Icon } from './icon.tsx';
import './rank.css';

/** Shows a crown for the first rank, trophies for the second and third, '#n' for the others. Ranks count from 1. */
export function Rank({ rank }: { rank: number }) {
  if (rank > 3) return <span className="rank rank-plain mono-number">#{rank}</span>;
  return (
    <span className={`rank rank-${rank}`} title={`Rank ${rank}`}>
      <Icon name={rank === 1 ? 'crown' : 'trophy'} />
      <span className="visually-hidden">#{rank}</span>
    </span>
  );
}
