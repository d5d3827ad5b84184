export const AdminGamesPage = () => <h1>AdminGamesPage</h1>;
