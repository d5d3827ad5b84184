import { memo, useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useHighlights } from '../broadcast/use-stored-job.ts';
import { Button } from '../components/button.tsx';
import { ErrorBox } from '../components/feedback.tsx';
import { Panel } from '../components/page.tsx';
import { toast } from '../components/toasts.tsx';
import { Chart } from './chart.tsx';
import { Cursor } from './cursor.tsx';
import { findInterestingHands } from './interesting-hands.ts';
import { InterestingList } from './interesting-list.tsx';
import { Legend } from './rankings.tsx';
import { saveCsv, savePicture } from './save-png.ts';
import { defaultSample, handCount, type PlayerSeries, sampleLabel, sampleOptions, sampleSeries } from './series.ts';
import { ZoomBar, type ZoomRange } from './zoom-bar.tsx';
import './performance.css';

export type GraphProps = {
  series: readonly PlayerSeries[];
  gameId: string;
  /** Returns the game id of a hand by its number; null if it is unknown. */
  gameOf: (hand: number) => string | null;
  onRefresh: () => void;
  refreshing: boolean;
  /** Whether the match is running: swings are not known, and the empty state reserves the space of the graph. */
  running: boolean;
};

function usePlayers() {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const toggle = useCallback((index: number) => {
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  }, []);
  return { hidden, toggle };
}

function SampleSelect({
  hands,
  sample,
  onSample,
}: {
  hands: number;
  sample: number;
  onSample: (sample: number) => void;
}) {
  const options = sampleOptions(hands);
  return (
    <label className="sample-select">
      Sample
      <select className="field-input" value={sample} onChange={(event) => onSample(Number(event.target.value))}>
        {(options.includes(sample) ? options : [sample, ...options]).map((option) => (
          <option key={option} value={option}>
            {sampleLabel(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Draws the graph of all players over the hands of a match, with zoom, cursor, legend, rankings and interesting hands. */
export const PerformanceGraph = memo(function PerformanceGraph(props: GraphProps) {
  const { series, gameId, gameOf, onRefresh, refreshing, running } = props;
  const hands = handCount(series);
  const [chosen, setChosen] = useState<number | null>(null);
  const [zoom, setZoom] = useState<ZoomRange>(null);
  const [failed, setFailed] = useState(false);
  const { hidden, toggle } = usePlayers();
  const sample = chosen ?? defaultSample(hands);
  const lines = useMemo(() => series.map((player) => sampleSeries(player, sample)), [series, sample]);
  const interesting = useMemo(() => findInterestingHands(series), [series]);
  const onFailed = useCallback(() => setFailed(true), []);
  const figure = { lines, hidden, range: zoom, hands, interesting };

  return (
    <Panel
      title="Performance"
      actions={
        <>
          <SampleSelect hands={hands} sample={sample} onSample={setChosen} />
          <Button small variant="secondary" disabled={refreshing} onClick={onRefresh}>
            REFRESH
          </Button>
          <Button
            small
            variant="ghost"
            onClick={() => void savePicture(figure, gameId).catch(() => toast.error('Failed to export the graph.'))}
          >
            PNG
          </Button>
          <Button small variant="ghost" onClick={() => saveCsv(series, gameId)}>
            CSV
          </Button>
        </>
      }
    >
      <div className="performance">
        <ZoomBar range={zoom} hands={hands} onRange={setZoom} />
        {failed ? (
          <ErrorBox text="The graph could not be loaded." onRetry={() => setFailed(false)} />
        ) : (
          <Cursor {...figure} sample={sample} onRange={setZoom}>
            <Chart {...figure} onRange={setZoom} onFailed={onFailed} />
          </Cursor>
        )}
        <Legend series={series} hidden={hidden} onToggle={toggle} />
        <InterestingList hands={interesting} gameOf={gameOf} />
        {!running && <Swings jobId={gameId} />}
        <p className="performance-foot mono-number">
          <span>{series.length} players</span>
          <span>{hands} hands</span>
          <span>GAME_ID: {gameId}</span>
        </p>
      </div>
    </Panel>
  );
});

/** Lists the hands of a finished match with the largest swings of equity times pot, with links to their replays. */
function Swings({ jobId }: { jobId: string }) {
  const highlights = useHighlights(jobId, true).data?.highlights.filter(({ swing }) => swing > 0) ?? [];
  if (highlights.length === 0) return null;
  return (
    <section aria-label="Swings">
      <h3 className="performance-heading">Swings</h3>
      <ol className="swings">
        {highlights.map(({ game_id: gameId, hand_number: hand, sentence }) => (
          <li key={gameId}>
            <Link to={`/replay/${encodeURIComponent(gameId)}`}>Hand #{hand}</Link> <bdi>{sentence}</bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}
