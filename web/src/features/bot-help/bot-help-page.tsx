import { Button, ButtonLink } from '../../components/button.tsx';
import { Doc } from '../../components/doc.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { saveText } from '../../lib/download.ts';
import { type Template, templates } from '../../lib/templates.ts';
import './bot-help.css';

const load = async () => (await import('../../../../docs/bots.md?raw')).default;

export function BotHelpPage() {
  return (
    <Page
      title="How to write a bot"
      lead="The interface, the rules and the limits, and bots to start from."
      actions={
        <>
          <ButtonLink to="/kit">Install the kit</ButtonLink>
          <ButtonLink to="/bots/debug">Debug a bot</ButtonLink>
          <ButtonLink to="/dashboard">Test your bot</ButtonLink>
        </>
      }
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
      <Doc name="bots" load={load} />
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
    <li className="cluster spread">
      <span>{template.title}</span>
      <Button variant="secondary" small aria-label={`Download template ${template.title}`} onClick={() => void save()}>
        Download
      </Button>
    </li>
  );
}
