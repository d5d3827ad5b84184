import { Button, ButtonLink } from '../../components/button.tsx';
import { Doc } from '../../components/doc.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { type Template, templates } from '../../lib/bot-files.ts';
import { saveText } from '../../lib/download.ts';

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

const loadDebugHelp = async () => (await import('../../../../docs/debug-a-bot.md?raw')).default;

/** Shows /bots/debug: docs/debug-a-bot.md. */
export function DebugHelpPage() {
  return (
    <Page
      title="Debug a bot"
      lead="From a failed match on the site to the same hand on your machine, in three commands."
      before={<BackLink to="/bots">How to write a bot</BackLink>}
      actions={<ButtonLink to="/kit">Install the kit</ButtonLink>}
    >
      <Doc name="debug-a-bot" load={loadDebugHelp} />
    </Page>
  );
}
