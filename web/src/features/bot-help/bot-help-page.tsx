import { useQuery } from '@tanstack/react-query';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Loading } from '../../components/spinner.tsx';
import { toast } from '../../components/toast-store.ts';
import { saveText } from '../../lib/download.ts';
import { type Template, templates } from '../../lib/templates.ts';
import './bot-help.css';

const pages = import.meta.glob<string>('../../../../docs/bots.md', { query: '?raw', import: 'default' });

async function loadDoc() {
  const load = Object.values(pages)[0];
  if (!load) return null;
  const [source, { renderMarkdown }] = await Promise.all([load(), import('./render-markdown.ts')]);
  return renderMarkdown(source);
}

export function BotHelpPage() {
  const doc = useQuery({ queryKey: ['docs', 'bots'], queryFn: loadDoc, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page
      title="How to write a bot"
      lead="The interface, the rules and the limits, and bots to start from."
      actions={<ButtonLink to="/dashboard">Test your bot</ButtonLink>}
    >
      {templates.length > 0 && (
        <Panel title="Templates">
          <ul className="template-list">
            {templates.map((template) => (
              <TemplateRow key={template.name} template={template} />
            ))}
          </ul>
        </Panel>
      )}
      {doc.isPending && <Loading inline />}
      {doc.isError && <p role="alert">This page could not be loaded. Reload it, please.</p>}
      {doc.data && (
        <div className="doc-layout">
          <Panel>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, sanitised by DOMPurify */}
            <article className="doc" dangerouslySetInnerHTML={{ __html: doc.data.html }} />
          </Panel>
          <nav className="doc-contents" aria-label="Contents">
            <h2>Contents</h2>
            <ul>
              {doc.data.headings.map((heading) => (
                <li key={heading.id}>
                  <a href={`#${heading.id}`}>{heading.text}</a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      )}
    </Page>
  );
}

function TemplateRow({ template }: { template: Template }) {
  const save = async () => {
    try {
      const { player, requirements } = await template.load();
      saveText(player, 'player.py', 'text/x-python');
      saveText(requirements, 'requirements.txt');
    } catch {
      toast.error('The template could not be loaded.');
    }
  };
  return (
    <li className="template-row">
      <span>{template.title}</span>
      <Button variant="secondary" small aria-label={`Download template ${template.title}`} onClick={() => void save()}>
        Download
      </Button>
    </li>
  );
}
