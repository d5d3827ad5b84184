import type { ReactNode } from 'react';
import { BackLink } from './back-link.tsx';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Page, Panel } from './page.tsx';
import { Roster, UserPicker } from './user-picker.tsx';

type Props = {
  title: string;
  lead: string;
  rosterTitle: string;
  /** How many are ticked, in words. */
  count: string;
  ready: boolean;
  roster: string[];
  /** Seats that are drawn also while empty, and how many users can be ticked. */
  seats: number;
  limit: number;
  onRoster: (roster: string[]) => void;
  /** Under the roster, within its panel. */
  below?: ReactNode;
  /** Beside the picker, under the roster's panel. */
  beside?: ReactNode;
  children: ReactNode;
};

/** A page that ticks users on one side and says on the other what is done with them. */
export function RosterPage(props: Props) {
  const { title, lead, rosterTitle, count, ready, roster, seats, limit, onRoster, below, beside, children } = props;
  return (
    <Page title={title} width="wide" before={<BackLink to="/admin">Admin Dashboard</BackLink>} lead={lead}>
      <div className="columns columns-lead">
        <Panel title="Participants">
          <UserPicker roster={roster} limit={limit} onRoster={onRoster} />
        </Panel>
        <div className="stack">
          <Panel
            title={rosterTitle}
            actions={
              <>
                <Badge color={ready ? 'green' : 'accent'}>{count}</Badge>
                <Button variant="ghost" small disabled={roster.length === 0} onClick={() => onRoster([])}>
                  CLEAR ALL
                </Button>
              </>
            }
          >
            <div className="stack">
              <Roster roster={roster} seats={seats} onRoster={onRoster} />
              {below}
            </div>
          </Panel>
          {beside}
        </div>
      </div>
      {children}
    </Page>
  );
}
