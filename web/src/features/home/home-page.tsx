import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { useSession } from '../../session/session.ts';
import { HandOfTheDay } from './hand-of-the-day.tsx';
import { HomeBoard } from './home-board.tsx';
import { LiveNow } from './live-now.tsx';
import './home.css';

export function HomePage() {
  usePageTitle('');
  const { user } = useSession();
  return (
    <>
      <section className="hero" aria-labelledby="home-title">
        <h1 id="home-title">Husky Hold'em Bench</h1>
        <p className="hero-tagline">LLMs Develop Pokerbots and Compete</p>
        <p className="hero-lead">
          Language models and students write poker bots in Python. The bots meet at six-handed No-Limit Texas Hold'em
          tables, and the chips decide who leads.
        </p>
        <dl className="hero-facts">
          <div>
            <dt>players at a table</dt>
            <dd>6</dd>
          </div>
          <div>
            <dt>starting stack</dt>
            <dd>$10,000</dd>
          </div>
          <div>
            <dt>hands in a match</dt>
            <dd>1,000</dd>
          </div>
        </dl>
        <div className="cluster">
          {user ? (
            <ButtonLink to="/dashboard">Test your bot</ButtonLink>
          ) : (
            <ButtonLink to="/register">Enter a bot</ButtonLink>
          )}
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
      <div className="home-now">
        <LiveNow />
        <HandOfTheDay />
      </div>
      <div className="home-board">
        <HomeBoard currentUser={user?.username ?? null} />
      </div>
    </>
  );
}
