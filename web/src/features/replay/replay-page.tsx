export const ReplayPage = () => <h1>ReplayPage</h1>;
