import { Deferred, EmptyState, ErrorBox, Loading } from '../components/feedback.tsx';
import { Panel } from '../components/page.tsx';
import { isApiError } from '../lib/api-error.ts';
import { type GraphProps, PerformanceGraph } from './performance-graph.tsx';
import { handCount } from './series.ts';

type Props = Omit<GraphProps, 'series'> & { series: GraphProps['series'] | null; error: unknown };

/** Reserves the space of the graph. */
function GraphPlaceholder() {
  return (
    <div className="performance-place">
      <Loading inline text="Loading performance..." />
    </div>
  );
}

const LOADING = (
  <Panel title="Performance">
    <GraphPlaceholder />
  </Panel>
);

/** Shows the graph, or the loading, private, failed or empty state. Loaded data survives a failed refresh. */
export function PerformancePanel({ series, error, ...graph }: Props) {
  const { onRefresh, running } = graph;
  if (series !== null && handCount(series) > 0) {
    return (
      <>
        {error !== null && <ErrorBox text="Failed to load performance data" onRetry={onRefresh} />}
        <Deferred fallback={LOADING}>
          <PerformanceGraph series={series} {...graph} />
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
        <GraphPlaceholder />
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
