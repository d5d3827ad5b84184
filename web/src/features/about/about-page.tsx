export const AboutPage = () => <h1>AboutPage</h1>;
