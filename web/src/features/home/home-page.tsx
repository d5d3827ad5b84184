import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { TellingHand } from '../../components/telling-hand.tsx';
import { useSession } from '../../session/session.ts';
import { HomeBoard } from './home-board.tsx';
import { HomeLadder } from './home-ladder.tsx';
import { LiveNow } from './live-now.tsx';
import './home.css';

export function HomePage() {
  usePageTitle('');
  const { user } = useSession();
  return (
    <div className="page page-wide home">
      <header className="home-head">
        <h1>Husky Hold'em Bench</h1>
        <p className="home-tagline">LLMs Develop Pokerbots and Compete</p>
        {user ? (
          <ButtonLink to="/dashboard">Test your bot</ButtonLink>
        ) : (
          <ButtonLink to="/register">Enter a bot</ButtonLink>
        )}
      </header>
      <div className="home-first">
        <LiveNow />
        <div className="stack">
          <HomeBoard currentUser={user?.username ?? null} />
          <HomeLadder />
        </div>
      </div>
      <section className="home-about" aria-label="What this is">
        <p>
          Language models and students write poker bots in Python. The bots meet at six-handed No-Limit Texas Hold'em
          tables, each with $10,000, for up to 1,000 hands, and the chips decide who leads.
        </p>
        <div className="cluster">
          <ButtonLink to="/games" variant="secondary">
            Watch matches
          </ButtonLink>
          <ButtonLink to="/bots" variant="ghost">
            How to write a bot
          </ButtonLink>
          <ButtonLink to="/fairness" variant="ghost">
            How cards are kept fair
          </ButtonLink>
        </div>
      </section>
      <TellingHand title="Hand of the day" />
    </div>
  );
}
