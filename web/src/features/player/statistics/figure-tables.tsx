import { Panel } from '../../../components/page.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { formatNumber } from '../../../lib/format.ts';
import {
  figureOf,
  formatFigure,
  type PlayerPlay,
  positionsOf,
  STATISTICS,
  STREETS,
  type Statistic,
} from './play-figures.ts';

type Scope = Parameters<typeof figureOf>[2];

function Cell({ player, statistic, scope }: { player: PlayerPlay; statistic: Statistic; scope: Scope }) {
  const figure = figureOf(player, statistic.id, scope);
  return (
    <span className="play-cell">
      <span className="mono-number">{formatFigure(figure, statistic.kind)}</span>
      <small className="muted">{formatNumber(figure?.of ?? 0)}</small>
    </span>
  );
}

/** Shows a player's statistics by position: a row for each statistic, below each value its number of opportunities. */
export function PositionTable({ player }: { player: PlayerPlay }) {
  const title = `${player.username} by position`;
  const columns: Column<Statistic>[] = [
    { label: 'Statistic', cell: ({ label }) => label },
    {
      label: 'All',
      align: 'end',
      brief: true,
      cell: (statistic) => <Cell player={player} statistic={statistic} scope={{}} />,
    },
    ...positionsOf(player).map(
      (position): Column<Statistic> => ({
        label: position,
        align: 'end',
        cell: (statistic) => <Cell player={player} statistic={statistic} scope={{ position }} />,
      }),
    ),
  ];
  return (
    <Panel title={<bdi>{title}</bdi>} flush>
      <Table
        caption={title}
        columns={columns}
        rows={[...STATISTICS]}
        rowKey={({ id }) => id}
        foldedAs={({ label }) => label}
      />
    </Panel>
  );
}

const ofStreets = STATISTICS.filter(({ onStreets }) => onStreets);

/** Shows those statistics of a player by street that are counted on streets. */
export function StreetTable({ player }: { player: PlayerPlay }) {
  const title = `${player.username} by street`;
  const columns: Column<Statistic>[] = [
    { label: 'Statistic', cell: ({ label }) => label },
    ...STREETS.map(
      (street): Column<Statistic> => ({
        label: street,
        align: 'end',
        cell: (statistic) =>
          figureOf(player, statistic.id, { street }) === undefined ? (
            <span className="muted">not defined</span>
          ) : (
            <Cell player={player} statistic={statistic} scope={{ street }} />
          ),
      }),
    ),
  ];
  return (
    <Panel title={<bdi>{title}</bdi>} flush>
      <Table
        caption={title}
        columns={columns}
        rows={ofStreets}
        rowKey={({ id }) => id}
        foldedAs={({ label }) => label}
      />
    </Panel>
  );
}
