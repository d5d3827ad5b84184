import { Page, Panel } from '../components/page.tsx';
import './catalogue.css';
import { SAMPLES } from './samples.ts';
import { TokenList } from './token-list.tsx';

/** Shows the shared components in all states, and the design tokens: /dev/components, in development only. */
export function CataloguePage() {
  return (
    <Page title="Components" lead="Shared components in all states, then colours, type and space.">
      {SAMPLES.filter(({ content }) => content !== null).map(({ file, states, content }) => (
        <Panel key={file} title={file} id={file}>
          <p className="muted">{states}</p>
          <div className="stack">{content}</div>
        </Panel>
      ))}
      <TokenList />
    </Page>
  );
}
