export const RegisterPage = () => <h1>RegisterPage</h1>;
