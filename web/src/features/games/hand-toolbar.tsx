import { STREETS } from '@husky/match/game-data';
import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/form.tsx';
import { formatNumber } from '../../lib/format.ts';
import { EMPTY_QUERY, type HandOrder, type HandQuery, isFiltered, STREET_LABELS, type Street } from './hand-query.ts';

const ORDER_LABELS: Record<HandOrder, string> = {
  none: 'As played',
  ascending: 'Hand number, rising',
  descending: 'Hand number, falling',
  pot: 'Largest pot first',
  win: 'Largest win first',
  loss: 'Largest loss first',
};

type Props = {
  query: HandQuery;
  onChange: (query: HandQuery) => void;
  players: readonly string[];
  /** The player whose chips the list shows first: the reader, if they play. '' for none. */
  own: string;
  hands: number;
  onJump: (number: number) => void;
};

function Chip({ pressed, onPress, children }: { pressed: boolean; onPress: () => void; children: string }) {
  return (
    <Button small variant={pressed ? 'primary' : 'ghost'} aria-pressed={pressed} onClick={onPress}>
      {children}
    </Button>
  );
}

/** Shows filters, order and jump of the hand list. */
export function HandToolbar({ query, onChange, players, own, hands, onJump }: Props) {
  const change = (part: Partial<HandQuery>) => onChange({ ...query, ...part });
  const player = query.player === '' ? own : query.player;
  const whose = player !== '' && player === own ? 'My biggest' : 'Biggest';
  const extremes = (net: 'win' | 'loss') => {
    const pressed = query.net === net && query.order === net;
    const next = pressed ? { net: '', order: 'none', player: query.player } : { net, order: net, player };
    return { pressed, onPress: () => change(next as Partial<HandQuery>) };
  };
  return (
    <div className="hand-toolbar">
      <fieldset className="hand-chips">
        <legend className="visually-hidden">Filters</legend>
        {player !== '' && (
          <>
            <Chip {...extremes('loss')}>{`${whose} losses`}</Chip>
            <Chip {...extremes('win')}>{`${whose} wins`}</Chip>
          </>
        )}
        <Chip pressed={query.allIn} onPress={() => change({ allIn: !query.allIn })}>
          All-ins
        </Chip>
        <Chip pressed={query.showdown} onPress={() => change({ showdown: !query.showdown })}>
          Showdowns
        </Chip>
        <Chip pressed={query.faults} onPress={() => change({ faults: !query.faults })}>
          Faults
        </Chip>
        {isFiltered(query) && (
          <Button small variant="secondary" onClick={() => onChange({ ...EMPTY_QUERY, player: query.player })}>
            Clear filters
          </Button>
        )}
      </fieldset>
      <div className="hand-fields">
        <SelectField
          label="Player"
          value={query.player}
          onChange={({ target }) => change({ ...(target.value === '' ? EMPTY_QUERY : {}), player: target.value })}
        >
          <option value="">{own === '' ? 'Nobody' : `${own} (you)`}</option>
          {players
            .filter((name) => name !== own)
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </SelectField>
        <SelectField
          label="Order"
          value={query.order}
          onChange={({ target }) => change({ order: target.value as HandOrder, player })}
        >
          {Object.entries(ORDER_LABELS)
            .filter(([order]) => player !== '' || (order !== 'win' && order !== 'loss'))
            .map(([order, label]) => (
              <option key={order} value={order}>
                {label}
              </option>
            ))}
        </SelectField>
        <SelectField
          label="Last street"
          value={query.street}
          onChange={({ target }) => change({ street: target.value as Street | '' })}
        >
          <option value="">Any street</option>
          {STREETS.map((street) => (
            <option key={street} value={street}>
              {STREET_LABELS[street]}
            </option>
          ))}
        </SelectField>
        <PotField key={query.minPot} value={query.minPot} onChange={(minPot) => change({ minPot })} />
        <JumpField hands={hands} onJump={onJump} />
      </div>
    </div>
  );
}

/** Applies an amount on Enter and when the field is left. */
function PotField({ value, onChange }: { value: number; onChange: (chips: number) => void }) {
  const [text, setText] = useState(value === 0 ? '' : String(value));
  const apply = () => {
    const chips = Math.max(0, Math.min(999_999_999, Math.floor(Number(text) || 0)));
    if (chips !== value) onChange(chips);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label="Pot at least"
        inputMode="numeric"
        placeholder="$"
        value={text}
        onChange={({ target }) => setText(target.value.replaceAll(/\D/g, ''))}
        onBlur={apply}
      />
    </form>
  );
}

function JumpField({ hands, onJump }: { hands: number; onJump: (number: number) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const jump = (event: FormEvent) => {
    event.preventDefault();
    const number = Number(text);
    const known = Number.isInteger(number) && number >= 1 && number <= hands;
    setError(known ? '' : `Type a number from 1 to ${formatNumber(hands)}.`);
    if (known) onJump(number);
  };
  return (
    <form onSubmit={jump} className="hand-jump">
      <TextField
        label="Jump to hand"
        inputMode="numeric"
        value={text}
        {...(error === '' ? {} : { error })}
        onChange={({ target }) => setText(target.value.trim())}
      />
      <Button small variant="secondary" type="submit">
        Jump
      </Button>
    </form>
  );
}
