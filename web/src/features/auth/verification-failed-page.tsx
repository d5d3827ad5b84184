export const VerificationFailedPage = () => <h1>VerificationFailedPage</h1>;
