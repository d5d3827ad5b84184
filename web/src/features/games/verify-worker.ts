import { createVerification, type VerifyMessage } from './verify-file.ts';

// Hands are re-dealt here, not in the page's main thread. The page sends nothing after a failure.
const handle = createVerification();
self.addEventListener('message', ({ data }: MessageEvent<VerifyMessage>) => self.postMessage(handle(data)));
