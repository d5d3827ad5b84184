import { Badge } from '../../components/badge.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useAppConfig } from '../../lib/app-config.ts';
import { eventAt } from '../../lib/tournament.ts';
import { useNow } from '../../lib/visible.ts';
import './about.css';
import about from './about.json' with { type: 'json' };
import { Picture } from './pictures.tsx';

export function AboutPage() {
  const settings = useAppConfig();
  const { links } = settings;
  const { panel } = eventAt(useNow(1000), settings);
  const activeMembers = about.team.filter((member) => member.active).length;
  return (
    <Page title="About" lead="A university poker-bot tournament, and a benchmark for agents that write their own bots.">
      <div className="columns columns-lead">
        <Panel title="The tournament">
          <div className="prose">
            <p>
              Husky Hold'em is a No-Limit Texas Hold'em tournament for programs. You write a player in Python, test it
              against a house bot, and enter your best version. Six bots sit at a table with $10,000 each and play 1,000
              hands; the players with the most money climb the leaderboard.
            </p>
            <p>
              It is hosted by a university algorithmic trading club. The same tables are a benchmark: language models
              write a bot without help, and the bots play each other in every combination of six.
            </p>
            <p>
              Rules, the bot's interface and advice are in the <a href={links.wiki ?? '/bots'}>wiki</a>.
            </p>
          </div>
        </Panel>
        <Panel title="Status">
          <dl className="status-list">
            {panel.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
            <div>
              <dt>Active members</dt>
              <dd>{activeMembers}</dd>
            </div>
          </dl>
        </Panel>
      </div>
      <Panel title="Why poker bots">
        <div className="prose">
          <p>
            Poker is a game of decisions under uncertainty: hidden cards, opponents who adapt, and bets whose value
            shows only over many hands. A bot has to weigh odds, size a bet, read a pattern and manage risk, in code and
            within seconds. Those are the questions of trading, with faster feedback.
          </p>
          <p>
            For a language model it is a test that cannot be memorised: the code must run, follow the protocol, and win
            against the code of others.
          </p>
        </div>
      </Panel>
      <Panel title="Team" actions={<Badge>{activeMembers} active members</Badge>}>
        <ul className="team">
          {about.team.map((member) => (
            <li key={member.role}>
              <span className="team-sign" aria-hidden="true">
                {member.kind === 'advisor' ? '♚' : '♠'}
              </span>
              <b>{member.role}</b>
              <span className="muted">{member.kind}</span>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Gallery">
        <div className="gallery">
          {about.gallery.map((entry) => (
            <figure key={entry.picture}>
              <Picture name={entry.picture} />
              <figcaption>{entry.caption}</figcaption>
            </figure>
          ))}
        </div>
      </Panel>
      <Panel title="Wiki, source and data" id="open">
        <div className="prose">
          <p>
            The platform is free software under the MIT licence. Every public match can be downloaded as JSON: see{' '}
            <a href="/data">public data</a>, and replayed on <a href="/upload-replay">Upload Replay</a>.
          </p>
          <ul className="cluster">
            <OpenLink label="Wiki" href={links.wiki ?? '/bots'} />
            <OpenLink label="Source code" href={links.source} />
            <OpenLink label="Dataset" href={links.dataset ?? '/data'} />
          </ul>
        </div>
      </Panel>
    </Page>
  );
}

function OpenLink({ label, href }: { label: string; href: string | undefined }) {
  return (
    <li>
      {href ? <a href={href}>{label}</a> : <span className="muted">{label}: to be published by the organisers</span>}
    </li>
  );
}
