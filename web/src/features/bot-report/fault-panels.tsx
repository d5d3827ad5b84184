import { Link } from 'react-router';
import { Panel } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';
import { replayPath } from '../../lib/matches.ts';
import type { BotReport } from '../../lib/types.ts';

interface Row {
  readonly key: string;
  readonly what: string;
  readonly text: string;
  readonly count: number;
  readonly hand: number;
  readonly step: number | null;
  readonly gameId: string | null;
}

const columns: Column<Row>[] = [
  { label: 'What', cell: (row) => row.what },
  { label: 'Reason', cell: (row) => <span className="breakable">{row.text}</span> },
  { label: 'Times', cell: (row) => <span className="mono-number">{formatNumber(row.count)}</span> },
  {
    label: 'First hand',
    cell: (row) =>
      row.gameId === null ? `#${row.hand}` : <Link to={replayPath(row.gameId, row.step)}>#{row.hand}</Link>,
  },
];

type Group = BotReport['faults'][number];

const rowsOf = (groups: readonly Group[]): Row[] =>
  groups.map(({ kind, text, count, first_hand: hand, first_step: step, first_game_id: gameId }) => ({
    key: `${kind} ${text}`,
    what: kind,
    text,
    count,
    hand,
    step,
    gameId,
  }));

/** Shows failed decisions and calls, and decisions that the platform changed, grouped by their reason. */
export function FaultPanels({ report }: { report: BotReport }) {
  const faults = rowsOf(report.faults);
  const calls = report.failed_calls.map(({ method, text, count, first_hand: hand, first_game_id: gameId }) => ({
    key: `${method} ${text}`,
    what: method,
    text,
    count,
    hand,
    step: null,
    gameId,
  }));
  return (
    <>
      <Groups
        title="Failed decisions"
        rows={faults}
        all={report.fault_groups}
        none="Every decision was answered with an action."
      />
      {calls.length > 0 && <Groups title="Failed calls" rows={calls} all={calls.length} none="" />}
      <Groups
        title="Changed by the platform"
        rows={rowsOf(report.adjusted)}
        all={report.adjusted_groups}
        none="Every action was played as requested."
      />
    </>
  );
}

type GroupsProps = { title: string; rows: Row[]; all: number; none: string };

function Groups({ title, rows, all, none }: GroupsProps) {
  if (rows.length === 0) {
    return (
      <Panel title={title}>
        <p className="muted">{none}</p>
      </Panel>
    );
  }
  return (
    <Panel title={title} flush>
      <Table caption={title} columns={columns} rows={rows} rowKey={(row) => row.key} />
      {all > rows.length && (
        <p className="panel-body muted">
          The {rows.length} most frequent of {formatNumber(all)} reasons.
        </p>
      )}
    </Panel>
  );
}
