export const JobPage = () => <h1>JobPage</h1>;
