import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { BackLink, Page, Panel } from './page.tsx';
import { Roster, UserPicker } from './user-picker.tsx';

type Props = {
  title: string;
  lead: string;
  rosterTitle: string;
  /** Text for the number of selected users. */
  count: string;
  ready: boolean;
  roster: string[];
  /** Number of seats shown, empty ones included. `limit` is the maximum number of selected users. */
  seats: number;
  limit: number;
  onRoster: (roster: string[]) => void;
  /** Shown below the roster, inside its panel. */
  below?: ReactNode;
  /** Shown beside the picker, below the panel of the roster. */
  beside?: ReactNode;
  children: ReactNode;
};

/** Renders a page with a user picker on one side, and what is started with the selected users on the other. */
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
