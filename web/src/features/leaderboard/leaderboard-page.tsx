export const LeaderboardPage = () => <h1>LeaderboardPage</h1>;
