import { Deferred } from '../components/deferred.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorBox } from '../components/error-box.tsx';
import { Panel } from '../components/page.tsx';
import { Loading } from '../components/spinner.tsx';
import { isApiError } from '../lib/api-error.ts';
import { PerformanceGraph } from './performance-graph.tsx';
import { handCount, type PlayerSeries } from './series.ts';

type Props = {
  series: readonly PlayerSeries[] | null;
  error: unknown;
  gameId: string;
  gameOf: (hand: number) => string | null;
  onRefresh: () => void;
  refreshing: boolean;
  /** Whether the match is running: standings are not final, and the empty state reserves the space of the graph. */
  running: boolean;
};

/** Reserves the space of the graph. */
function GraphPlace() {
  return (
    <div className="performance-place">
      <Loading inline text="Loading performance..." />
    </div>
  );
}

const LOADING = (
  <Panel title="Performance">
    <GraphPlace />
  </Panel>
);

/** Shows the graph, or the loading, private, failed or empty state. Loaded data survives a failed refresh. */
export function PerformancePanel({ series, error, gameId, gameOf, onRefresh, refreshing, running }: Props) {
  if (series !== null && handCount(series) > 0) {
    return (
      <>
        {error !== null && <ErrorBox text="Failed to load performance data" onRetry={onRefresh} />}
        <Deferred fallback={LOADING}>
          <PerformanceGraph
            series={series}
            gameId={gameId}
            gameOf={gameOf}
            onRefresh={onRefresh}
            refreshing={refreshing}
            running={running}
          />
        </Deferred>
      </>
    );
  }
  return (
    <Panel title="Performance">
      {isApiError(error, 403) ? (
        <ErrorBox text="This performance data is private and cannot be accessed." />
      ) : error !== null ? (
        <ErrorBox text="Failed to load performance data" onRetry={onRefresh} />
      ) : series === null ? (
        <GraphPlace />
      ) : (
        <div className={running ? 'performance-place' : undefined}>
          <EmptyState
            title="No performance data available"
            text="Performance data will appear here once games are completed"
          />
        </div>
      )}
    </Panel>
  );
}
