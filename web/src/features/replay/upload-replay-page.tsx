export const UploadReplayPage = () => <h1>UploadReplayPage</h1>;
