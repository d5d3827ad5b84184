import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChallengeList } from '../../challenges/challenge-list.tsx';
import { BotUpload } from '../../components/bot-upload.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { ChoiceField, TextField } from '../../components/form.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { TestRun } from '../../doctor/test-run.tsx';
import { OwnLadder } from '../../ladder/own-ladder.tsx';
import { api, type RequestOf } from '../../lib/api.ts';
import { useAppConfig } from '../../lib/app-config.ts';
import { TEST_RUN_COOLDOWN } from '../../lib/cooldown.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { eventAt } from '../../lib/tournament.ts';
import { useNow } from '../../lib/visible.ts';
import { useSession } from '../../session/session.ts';
import './dashboard-page.css';
import { MyJobs } from './my-jobs.tsx';

type Opponent = NonNullable<NonNullable<RequestOf<'post', '/sim/async_run'>['query']>['against']>;

const OPPONENTS: Readonly<Record<Opponent, string>> = {
  house: 'House bot: sound play',
  'tight-aggressive': 'Tight-aggressive: few hands, bets',
  'pot-odds': 'Pot odds: calls at good prices',
  'position-aware': 'Position-aware: steals in late seats',
  pressure: 'Pressure: bets while you fold',
  'calling-station': 'Calling station: never folds',
  'random-legal': 'Random: any legal action',
  mix: 'Mix: five of them, table of six',
};

export function DashboardPage() {
  const { user } = useSession();
  const client = useQueryClient();
  const [run, setRun] = useState<string | null>(null);
  const [against, setAgainst] = useState<Opponent>('house');
  const [hands, setHands] = useState('10');

  const upload = async (player: File, requirements: File) => {
    const form = new FormData();
    form.set('python_file', player);
    form.set('packages_file', requirements);
    const { job_id, warnings } = await api.post('/sim/async_run', {
      body: form,
      query: { against, num_rounds: Number(hands) },
    });
    setRun(job_id);
    toast.success('Test run queued. It appears under My Jobs.');
    await client.invalidateQueries({ queryKey: queryKeys.ownJobs });
    return warnings ?? [];
  };

  return (
    <Page
      title={`Welcome, ${user?.username ?? ''}`}
      tabTitle="Dashboard"
      actions={
        <>
          <ButtonLink to="/directory" variant="ghost">
            Directory
          </ButtonLink>
          <ButtonLink to="/bots" variant="ghost">
            How to write a bot
          </ButtonLink>
          <ButtonLink to="/submission" variant="secondary">
            My submissions
          </ButtonLink>
        </>
      }
    >
      <div className="columns columns-lead">
        <div className="stack">
          <Panel title="Test your bot">
            <div className="stack">
              <div className="field-grid">
                <ChoiceField label="Opponents" value={against} choices={OPPONENTS} onChoose={setAgainst} />
                <TextField
                  label="Hands"
                  type="number"
                  min={10}
                  max={200}
                  step={10}
                  value={hands}
                  onChange={(event) => setHands(event.target.value)}
                  hint="10 to 200"
                />
              </div>
              <BotUpload
                cooldownName={TEST_RUN_COOLDOWN}
                missingText="Both player.py and requirements.txt must be provided"
                submitLabel="Submit Bot"
                upload={upload}
              />
            </div>
            {run !== null && user && (
              <section className="test-run" aria-label="Your test run" aria-live="polite">
                <h3>Your test run</h3>
                <TestRun jobId={run} username={user.username} onRunAgain={setRun} />
              </section>
            )}
          </Panel>
          {user && <OwnLadder username={user.username} />}
        </div>
        <div className="stack">
          <Panel title="Final submission">
            <Countdown />
          </Panel>
          <Panel title="TOURNAMENT PROTOCOL">
            <Protocol />
          </Panel>
        </div>
      </div>
      {user && <ChallengeList username={user.username} />}
      <MyJobs />
    </Page>
  );
}

function Countdown() {
  const { countdown, uploads } = eventAt(useNow(1000), useAppConfig());
  return (
    <div className="countdown">
      {countdown.phase === 'open' && <p className="muted">Time left until the final submission deadline</p>}
      <p className="countdown-time mono-number" role="timer">
        {countdown.text}
      </p>
      {uploads !== '' && <p className="muted">{uploads}</p>}
    </div>
  );
}

function Protocol() {
  return (
    <ol className="protocol">
      <li>
        A test run plays your bot against the house bot, heads-up, for 10 hands, or against the style and for the hands
        you choose. Only you and the organisers see it.
      </li>
      <li>player.py holds the class SimplePlayer; requirements.txt names the packages it needs and may be empty.</li>
      <li>
        A decision may use 5 seconds of processor time (or 15 on the clock); what it uses beyond 0.1 seconds comes out
        of a bank of 60 seconds for the match. A late, faulty or illegal answer folds the hand.
      </li>
      <li>Wait 30 seconds between two runs. No network, no files of others, no collusion between bots.</li>
      <li>Keep up to 5 submissions and mark one as final: that one plays in the tournament.</li>
    </ol>
  );
}
