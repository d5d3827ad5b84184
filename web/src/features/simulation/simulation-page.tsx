export const SimulationPage = () => <h1>SimulationPage</h1>;
