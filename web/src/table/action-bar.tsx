import { Fragment } from 'react';
import type { FormatAmount } from './descriptions.ts';
import { type Game, roundName } from './game.ts';
import { PlayerName } from './player-name.tsx';
import { useAmounts } from './preferences.ts';
import type { Stage, TableState } from './table-state.ts';

function stageLabel(stage: Stage | null): string {
  if (stage === null) return '–';
  if (stage.kind === 'deal') return `deals the ${roundName(stage.round).toLowerCase()}`;
  if (stage.kind === 'return') return 'uncalled bet returned';
  return stage.award.name === '' ? 'wins the pot' : `wins ${stage.award.name}`;
}

function stageSeats(stage: Stage | null): number[] {
  if (stage === null || stage.kind === 'deal') return [];
  return stage.kind === 'return' ? [stage.seat] : stage.award.shares.map(({ seat }) => seat);
}

function stageAmount(stage: Stage | null, chips: FormatAmount): string {
  if (stage === null || stage.kind === 'deal') return '–';
  return stage.kind === 'return'
    ? chips(stage.amount)
    : stage.award.shares.map(({ amount }) => chips(amount)).join(', ');
}

function Actors({ game, seats }: { game: Game; seats: readonly number[] }) {
  if (seats.length === 0) return '–';
  return seats.map((seat, index) => (
    <Fragment key={seat}>
      {index > 0 && ', '}
      <PlayerName name={game.players[seat]?.name ?? ''} length={20} />
    </Fragment>
  ));
}

/** Shows player, action, amount, round and pot of the current step. */
export function ActionBar({ game, state }: { game: Game; state: TableState }) {
  const { action, stage } = state;
  const { chips } = useAmounts(game);
  const items = [
    { label: 'PLAYER', value: <Actors game={game} seats={action ? [action.seat] : stageSeats(stage)} /> },
    { label: 'ACTION', value: action ? `${action.label}${action.adjusted ? ' (adjusted)' : ''}` : stageLabel(stage) },
    { label: 'AMOUNT', value: action ? chips(action.chips) : stageAmount(stage, chips) },
    { label: 'ROUND', value: state.roundName },
    { label: 'POT', value: chips(state.totalPot) },
  ];
  return (
    <dl
      className={`action-bar action-${action?.post ? 'post' : (action?.kind ?? 'none').toLowerCase().replace(' ', '-')}`}
    >
      {items.map((item) => (
        <div key={item.label}>
          <dt>{item.label}</dt>
          <dd className="mono-number">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
