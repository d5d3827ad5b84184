import { formatChips } from './chips.ts';
import type { Game } from './game.ts';
import { truncate } from './names.ts';
import { PlayerName } from './player-name.tsx';
import type { TableState } from './replay-state.ts';

/** Describes the step in one sentence for screen readers. */
export function describeStep(game: Game, state: TableState): string {
  const pot = `${state.roundName}, total pot ${formatChips(state.totalPot)}`;
  if (state.action === null) return state.over ? `${pot}, hand over` : pot;
  const name = truncate(game.players[state.action.seat]?.name ?? '', 20);
  const amount = state.action.chips > 0 ? ` ${formatChips(state.action.chips)}` : '';
  return `${name}: ${state.action.label}${amount}. ${pot}${state.over ? ', hand over' : ''}`;
}

/** Shows player, action, amount, round and pot of the current step. */
export function ActionBar({ game, state }: { game: Game; state: TableState }) {
  const { action } = state;
  const items = [
    { label: 'PLAYER', value: action ? <PlayerName name={game.players[action.seat]?.name ?? ''} length={20} /> : '–' },
    { label: 'ACTION', value: action ? `${action.label}${action.adjusted ? ' (adjusted)' : ''}` : '–' },
    { label: 'AMOUNT', value: action ? formatChips(action.chips) : '–' },
    { label: 'ROUND', value: state.roundName },
    { label: 'POT', value: formatChips(state.totalPot) },
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
