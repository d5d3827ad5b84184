import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Tabs } from '../components/tabs.tsx';

type View = 'results' | 'standings';

type Props = {
  /** Label of the first tab, whose content is `children`. */
  label: string;
  children: ReactNode;
  standings: ReactNode;
};

/** Shows two tabs: results as the platform specifies them, and standings with intervals. The address has `view=standings` for the second. */
export function StandingsTabs({ label, children, standings }: Props) {
  const [search, setSearch] = useSearchParams();
  const view: View = search.get('view') === 'standings' ? 'standings' : 'results';
  const select = (next: View) => {
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === 'standings') after.set('view', next);
        else after.delete('view');
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  return (
    <Tabs<View>
      label="Views of the results"
      tabs={[
        { id: 'results', label },
        { id: 'standings', label: 'Standings' },
      ]}
      selected={view}
      onSelect={select}
    >
      <div className="page-body">{view === 'standings' ? standings : children}</div>
    </Tabs>
  );
}
