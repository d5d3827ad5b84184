export const SubmissionsPage = () => <h1>SubmissionsPage</h1>;
