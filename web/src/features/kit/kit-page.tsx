import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { CommandLine } from '../../components/code-view.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { Page, Panel, Stats } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { formatBytes } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Kit } from '../../lib/types.ts';

interface Command {
  readonly line: string;
  readonly what: string;
}

const COMMANDS: Command[] = [
  { line: 'husky new mybot', what: 'starts a bot: player.py, requirements.txt and a test' },
  { line: 'husky check mybot', what: "makes the site's checks, and plays a few hands" },
  { line: 'husky play mybot pot-odds --out first', what: 'plays a match as the site does; saves its file and logs' },
  { line: 'husky trial mybot before', what: 'says whether the new version is better than the one before' },
  { line: 'husky author --model NAME', what: 'has a language model write a bot in rounds, and keeps the best' },
  { line: 'husky bench models.yaml', what: 'has several models write bots, and ranks the models' },
  { line: 'husky debug mybot', what: 'runs the bot in this process: pdb and print work' },
  { line: 'husky replay match.jsonl --hand 7', what: 'shows a hand in the terminal' },
  { line: 'husky stats match.jsonl', what: 'VPIP, PFR, winnings for 100 hands with intervals' },
  { line: 'husky verify match.jsonl', what: 're-deals all hands from seed and commitment' },
  { line: `husky login --site ${location.origin}`, what: 'stores an access token from your account page' },
  { line: 'husky test mybot', what: 'a test run on this site, with its result in a sentence' },
  { line: 'husky submit mybot --final', what: 'uploads the bot and enters it in the tournament' },
  { line: 'husky challenge bob', what: "your final submission meets bob's; answers and lists challenges" },
  { line: 'husky tournament SLUG', what: 'state, stages and standings of a tournament of this site' },
  { line: 'husky download JOB', what: 'fetches a match of this site, for replay, verify, stats and debug' },
];

const columns: Column<Command>[] = [
  { label: 'Command', cell: ({ line }) => <code className="command-cell">{line}</code> },
  { label: 'What it does', cell: ({ what }) => what },
];

/** Shows /kit: the local kit that this site offers, and how to install and use it. */
export function KitPage() {
  const kit = useQuery({
    queryKey: queryKeys.kit,
    queryFn: ({ signal }) => api.get('/kit/index.json', { signal }),
    retry: (failures, error) => !isApiError(error, 404) && failures < 2,
  });
  return (
    <Page
      title="The local kit"
      lead="Play the same matches on your own machine: same dealer, same rules, same sandbox, same bytes."
    >
      {kit.isPending && <Loading inline />}
      {kit.isError && (
        <ErrorBox
          text={messageOf(kit.error, 'Failed to load the kit.')}
          {...(isApiError(kit.error, 404) ? {} : { onRetry: () => void kit.refetch() })}
        />
      )}
      {kit.data && <Install kit={kit.data} />}
      <Panel title="Commands" flush>
        <Table caption="Commands" columns={columns} rows={COMMANDS} rowKey={({ line }) => line} />
        <p className="panel-body muted">
          Each command has <code>--help</code> with examples and <code>--json</code> for programs. More:{' '}
          <Link to="/bots">How to write a bot</Link>, <Link to="/bots/debug">Debug a bot</Link>,{' '}
          <Link to="/account">Access tokens</Link>.
        </p>
      </Panel>
    </Page>
  );
}

function Install({ kit }: { kit: Kit }) {
  return (
    <Panel title="Install">
      <div className="stack">
        <CommandLine text={kit.install} label="Copy command for pip" />
        <p className="muted">or, without a virtual environment of your own:</p>
        <CommandLine text={kit.install_uv} label="Copy command for uv" />
        <p>
          Linux, macOS or Windows with WSL; Python {kit.requires_python.replace('>=', '')} or newer. Node is installed
          with it; nothing else is needed. On Linux bots run in the platform's sandbox, elsewhere without.
        </p>
        <Stats
          items={[
            { label: 'Version', value: kit.version, text: true },
            { label: 'Rules version', value: String(kit.rules_version), text: true },
            { label: 'Protocol version', value: String(kit.protocol_version), text: true },
            { label: 'Size', value: formatBytes(kit.size), text: true },
          ]}
        />
        <div className="stack">
          <h3>SHA-256 of {kit.file}</h3>
          <CommandLine text={kit.sha256} label="Copy checksum" />
        </div>
      </div>
    </Panel>
  );
}
