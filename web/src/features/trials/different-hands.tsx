import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { HandStatus, useHand } from '../../components/hand-status.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { deltaClass, formatDelta } from '../../lib/format.ts';
import type { Trial } from '../../lib/types.ts';
import { parseGame } from '../../table/parse-game.ts';
import { ReplayPair } from '../../table/replay-pair.tsx';

type Hand = Trial['different'][number];

/** Replays a hand of A beside the same cards of B. */
function SideBySide({ hand, name }: { hand: Hand; name: string }) {
  const [a, b] = [useHand(hand.game_a), useHand(hand.game_b)];
  const gameA = useMemo(() => a.data && parseGame(a.data.game_data), [a.data]);
  const gameB = useMemo(() => b.data && parseGame(b.data.game_data), [b.data]);
  const failed = [gameA, gameB].find((one) => one?.ok === false);
  return (
    <section className="panel-body stack" aria-label={`${name}: A beside B`}>
      <h3>{name}: A beside B</h3>
      <HandStatus hand={a.isSuccess ? b : a} />
      {failed?.ok === false && <ErrorBox text={failed.error} />}
      {gameA?.ok && gameB?.ok && (
        <ReplayPair
          key={hand.game_a}
          hands={[
            { label: `A: ${formatDelta(hand.a)}`, game: gameA.game },
            { label: `B: ${formatDelta(hand.b)}`, game: gameB.game },
          ]}
        />
      )}
    </section>
  );
}

/** Lists the hands in which the two versions differed most, and replays one of A beside that of B. */
export function DifferentHands({ trial }: { trial: Trial }) {
  const [compared, setCompared] = useState<Hand | null>(null);
  const chips = (value: number) => <span className={`mono-number ${deltaClass(value)}`}>{formatDelta(value)}</span>;
  const replay = (which: 'A' | 'B', game: string, hand: string) => (
    <Link to={`/replay/${encodeURIComponent(game)}`} aria-label={`Replay of ${which}, ${hand}`}>
      Replay of {which}
    </Link>
  );
  const nameOf = ({ set, rotation, hand }: Hand) => `Set ${set}, rotation ${rotation}, hand ${hand}`;
  const columns: Column<Hand>[] = [
    { label: 'Hand', brief: true, cell: nameOf },
    { label: 'A won', align: 'end', brief: true, cell: ({ a }) => chips(a) },
    { label: 'B won', align: 'end', brief: true, cell: ({ b }) => chips(b) },
    {
      label: 'The same cards',
      cell: (hand) => (
        <span className="cluster">
          {replay('A', hand.game_a, nameOf(hand))}
          {replay('B', hand.game_b, nameOf(hand))}
          <Button
            small
            variant="ghost"
            aria-expanded={compared === hand}
            aria-label={`Side by side, ${nameOf(hand)}`}
            onClick={() => setCompared(compared === hand ? null : hand)}
          >
            Side by side
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <Table
        caption="Hands that differed most"
        columns={columns}
        rows={trial.different}
        rowKey={({ game_a }) => game_a}
        foldedAs={nameOf}
      />
      {compared && <SideBySide hand={compared} name={nameOf(compared)} />}
    </>
  );
}
