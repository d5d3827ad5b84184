export const LlmBatchPage = () => <h1>LlmBatchPage</h1>;
