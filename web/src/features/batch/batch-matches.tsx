import { Link } from 'react-router';
import { MatchCards } from '../../components/match-card.tsx';
import { Panel } from '../../components/page.tsx';
import { PagedRows } from '../../components/paged-rows.tsx';
import { api } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { usePagedList } from '../../lib/use-paged-list.ts';

const PAGE_SIZE = 24;

/** Lists the public matches of a batch, newest first, by page. */
export function BatchMatches({ batchId, isPublic }: { batchId: string; isPublic: boolean }) {
  const matches = usePagedList({
    queryKey: [...queryKeys.publicJobs, 'batch', batchId],
    pageSize: PAGE_SIZE,
    fetch: async (paging, signal) => {
      const query = { batch_id: batchId, order: 'newest' as const, ...paging };
      const found = await api.get('/live/public-job-ids/paginated', { query, signal });
      return { items: found.jobs, total: found.total_count };
    },
  });
  return (
    <Panel title="Matches" flush>
      {isPublic ? (
        <PagedRows list={matches} noun="matches" empty="No public match of this batch yet">
          {(rows) => (
            <div className="panel-body">
              {/* Without the link to this page itself. */}
              <MatchCards matches={rows.map((row) => ({ ...row, batch_is_public: false }))} />
            </div>
          )}
        </PagedRows>
      ) : (
        <p className="panel-body">
          The matches of a private batch are listed on the page <Link to="/llm-batch">LLM Batch</Link>.
        </p>
      )}
    </Panel>
  );
}
