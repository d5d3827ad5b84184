export const VerificationSuccessPage = () => <h1>VerificationSuccessPage</h1>;
