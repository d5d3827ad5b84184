export const GamesPage = () => <h1>GamesPage</h1>;
