// UPLOADS uploads for test runs, spread evenly over a minute; each of them must get its result.
import { optionsOf } from './options.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export { testRun } from './test-run.js';
export const options = optionsOf('upload-storm');
