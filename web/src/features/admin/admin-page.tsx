export const AdminPage = () => <h1>AdminPage</h1>;
