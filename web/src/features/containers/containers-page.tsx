export const ContainersPage = () => <h1>ContainersPage</h1>;
