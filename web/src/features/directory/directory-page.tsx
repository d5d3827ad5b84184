export const DirectoryPage = () => <h1>DirectoryPage</h1>;
