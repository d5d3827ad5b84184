import { Page, Panel } from '../components/page.tsx';
import './catalogue.css';
import tokens from '../app/tokens.css?raw';
import { CONTROL_SAMPLES } from './control-samples.tsx';
import { DATA_SAMPLES } from './data-samples.tsx';
import { FEEDBACK_SAMPLES } from './feedback-samples.tsx';

/** Shows the shared components in all states, and the design tokens: /dev/components, in development only. */
export function CataloguePage() {
  return (
    <Page title="Components" lead="Shared components in all states, then colours, type and space.">
      {SAMPLES.filter(({ content }) => content !== null).map(({ name, states, content }) => (
        <Panel key={name} title={name} id={name}>
          <p className="muted">{states}</p>
          <div className="stack">{content}</div>
        </Panel>
      ))}
      <TokenList />
    </Page>
  );
}

type Token = { name: string; value: string; use: string };
type Group = { title: string; tokens: Token[] };

/** Parses the groups of tokens.css: a comment line starts a group, a comment after a value describes its use. */
export function readTokens(css: string): Group[] {
  const groups: Group[] = [];
  for (const line of css.split('\n')) {
    const title = /^ {2}\/\* (.+) \*\/$/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, tokens: [] });
    const [, name, value, use] = /^ {2}(--[\w-]+): ([^;]+);(?: \/\* (.+) \*\/)?$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) groups.at(-1)?.tokens.push({ name, value, use: use ?? '' });
  }
  return groups;
}

function Sample({ name, value }: Token) {
  if (/^--(color|player)-/.test(name)) return <span className="token-swatch" style={{ background: `var(${name})` }} />;
  if (name.startsWith('--text-')) return <span style={{ fontSize: `var(${name})` }}>Ag</span>;
  if (name.startsWith('--font-')) return <span style={{ fontFamily: `var(${name})` }}>All in 0123</span>;
  if (name.startsWith('--space-')) return <span className="token-space" style={{ width: `var(${name})` }} />;
  return <span className="muted">{value.length > 24 ? '' : value}</span>;
}

/** Lists the design tokens of tokens.css with a sample of each. */
function TokenList() {
  return readTokens(tokens).map((group) => (
    <Panel key={group.title} title={group.title}>
      <ul className="token-list">
        {group.tokens.map((token) => (
          <li key={token.name}>
            <Sample {...token} />
            <code>{token.name}</code>
            <span className="muted">{token.use || token.value}</span>
          </li>
        ))}
      </ul>
    </Panel>
  ));
}

/** The shared components that do not call the API. */
export const SAMPLES = [...CONTROL_SAMPLES, ...FEEDBACK_SAMPLES, ...DATA_SAMPLES];
