import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Name } from '../../components/name.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { saveText } from '../../lib/download.ts';
import { deltaClass } from '../../lib/format.ts';
import { formatChange, formatChips } from '../../table/chips.ts';
import { cardName } from '../../table/playing-card.tsx';
import { usePreferences } from '../../table/preferences.ts';
import { type HandEntry, STREET_LABELS } from './hand-query.ts';
import type { HandSummary } from './use-hand-entries.ts';

async function downloadLog(gameId: string): Promise<void> {
  try {
    const response = await api.get('/live/game/{id}', { params: { id: gameId } });
    saveText(JSON.stringify(response.game_data, null, 2), `game_${gameId}.json`, 'application/json');
  } catch {
    toast.error('Failed to download raw log.');
  }
}

const SUIT_SIGNS: Record<string, string> = { h: '♥', d: '♦', c: '♣', s: '♠' };

/** Shows the board as short text; screen readers get the names of its cards. Without cards its cell stays: the row is a grid. */
function Board({ cards }: { cards: readonly string[] }) {
  const { fourColourDeck } = usePreferences();
  if (cards.length === 0) return <span className="hand-board" />;
  return (
    <span
      className={`hand-board${fourColourDeck ? ' four-colour-deck' : ''}`}
      role="img"
      aria-label={`Board: ${cards.map(cardName).join(', ')}`}
    >
      {cards.map((card) => (
        <span key={card} className={`board-card board-card-${card.charAt(1)}`}>
          {card.charAt(0) === 'T' ? '10' : card.charAt(0)}
          {SUIT_SIGNS[card.charAt(1)]}
        </span>
      ))}
    </span>
  );
}

/** Shows the street that a hand reached, and its marks. */
function Marks({ facts }: { facts: NonNullable<HandEntry['facts']> }) {
  const { street, showdown, allIn, faults } = facts;
  return (
    <span className="hand-marks">
      <span>{showdown ? 'Showdown' : street === null ? '' : STREET_LABELS[street]}</span>
      {allIn && <Badge color="yellow">ALL-IN</Badge>}
      {faults.length > 0 && (
        <span title={`Failed decision: ${faults.join(', ')}`}>
          <Badge color="red">{faults.length === 1 ? 'FAULT' : `${faults.length} FAULTS`}</Badge>
        </span>
      )}
    </span>
  );
}

type Props = {
  hand: HandEntry;
  /** Absent while it is not loaded, and while the match runs. */
  summary: HandSummary | undefined;
  player: string;
  /** Null: no player is chosen. */
  net: number | null;
  batchLabel: string;
};

/** Shows one row of the list. */
export function HandRow({ hand, summary, player, net, batchLabel }: Props) {
  const { number, gameId, facts } = hand;
  return (
    <>
      <span className="hand-name">
        <span className="hand-number">Hand #{number}</span>
        <span className="hand-batch">{batchLabel}</span>
        <span className="hand-id breakable">{gameId}</span>
      </span>
      <span className="hand-result">
        <span className="hand-winners">
          {facts?.winners.map((name) => (
            <Name key={name} name={name} />
          ))}
        </span>
        <span className="hand-words">{summary?.winning_hand ?? ''}</span>
      </span>
      <Board cards={summary?.board ?? []} />
      {facts === null ? <span /> : <Marks facts={facts} />}
      <span className="hand-pot mono-number">
        {facts !== null && (
          <>
            <span className="visually-hidden">Pot </span>
            {formatChips(facts.pot)}
          </>
        )}
      </span>
      <span className={`hand-net mono-number ${net === null ? '' : deltaClass(net)}`}>
        {net !== null && (
          <>
            <span className="visually-hidden">Net of {player} </span>
            {formatChange(net)}
          </>
        )}
      </span>
      <span className="hand-actions">
        <Button
          small
          variant="ghost"
          aria-label={`Get Raw Log of hand ${number}`}
          onClick={() => void downloadLog(gameId)}
        >
          Get Raw Log
        </Button>
        <ButtonLink small variant="secondary" to={`/replay/${encodeURIComponent(gameId)}`}>
          View Hand<span className="visually-hidden"> {number}</span>
        </ButtonLink>
      </span>
    </>
  );
}
