export const BotHelpPage = () => <h1>BotHelpPage</h1>;
