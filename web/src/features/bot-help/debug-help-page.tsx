import { BackLink } from '../../components/back-link.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Doc } from '../../components/doc.tsx';
import { Page } from '../../components/page.tsx';

const load = async () => (await import('../../../../docs/debug-a-bot.md?raw')).default;

/** Shows /bots/debug: docs/debug-a-bot.md. */
export function DebugHelpPage() {
  return (
    <Page
      title="Debug a bot"
      lead="From a failed match on the site to the same hand on your machine, in three commands."
      before={<BackLink to="/bots">How to write a bot</BackLink>}
      actions={<ButtonLink to="/kit">Install the kit</ButtonLink>}
    >
      <Doc name="debug-a-bot" load={load} />
    </Page>
  );
}
