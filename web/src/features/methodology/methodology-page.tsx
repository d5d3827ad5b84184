import { Doc } from '../../components/doc.tsx';
import { Page } from '../../components/page.tsx';

const load = async () => (await import('../../../../docs/methodology.md?raw')).default;

/** Shows /methodology: docs/methodology.md with its formulas. */
export function MethodologyPage() {
  return (
    <Page
      title="How the standings are computed"
      lead="Points per 100 hands, luck, intervals, ties and ratings: the estimators with their formulas and figures."
    >
      <Doc name="methodology" load={load} math />
    </Page>
  );
}
