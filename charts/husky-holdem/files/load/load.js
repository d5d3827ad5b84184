// Runs the scenarios of SCENARIOS (comma-separated) together, with the load profile PROFILE. Each scenario also has a script of its own.
import { optionsOf, selectScenarios } from './options.js';

export { setup } from './accounts.js';
export { adminPolling } from './admin.js';
export { batchNight } from './batch-night.js';
export { browse } from './browse.js';
export { eventDay } from './event-day.js';
export { readLists } from './lists.js';
export { live } from './live.js';
export { match } from './match.js';
export { register } from './register.js';
export { signIn } from './sign-in.js';
export { handleSummary } from './summary.js';
export { testRun } from './test-run.js';

export const options = optionsOf(...selectScenarios('event-day', 'match', 'live'));
