import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { deltaClass, formatDelta } from '../lib/format.ts';
import type { LeaderboardEntry } from '../lib/types.ts';
import { Badge } from './badge.tsx';
import { Rank } from './rank.tsx';

type Props = {
  label: string;
  entries: LeaderboardEntry[];
  currentUser: string | null;
  showTag?: boolean;
  actions?: (entry: LeaderboardEntry) => ReactNode;
};

/** Entries in their order with rank, name, (You) and Delta Money. */
export function Standings({ label, entries, currentUser, showTag = false, actions }: Props) {
  return (
    <ol className="standings" aria-label={label}>
      {entries.map((entry, index) => {
        const mine = entry.username === currentUser;
        const classes = ['standing', mine && 'standing-mine', index === 0 && 'standing-top'].filter(Boolean).join(' ');
        return (
          <li key={entry.id} className={classes} {...(mine ? { 'aria-current': 'true' as const } : {})}>
            <Rank rank={index + 1} />
            <span className="standing-name">
              <Link to={`/profile/${encodeURIComponent(entry.username)}`}>{entry.username}</Link>
              {mine && <span className="standing-you"> (You)</span>}
            </span>
            {showTag && entry.tag && (
              <span className="standing-tag">
                <Badge color="grey">{entry.tag}</Badge>
              </span>
            )}
            <span className="standing-score">
              <b className={`mono-number ${deltaClass(entry.score)}`}>{formatDelta(entry.score)}</b>
              <small>Delta Money</small>
            </span>
            {actions && <span className="standing-actions">{actions(entry)}</span>}
          </li>
        );
      })}
    </ol>
  );
}
