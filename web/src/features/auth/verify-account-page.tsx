export const VerifyAccountPage = () => <h1>VerifyAccountPage</h1>;
