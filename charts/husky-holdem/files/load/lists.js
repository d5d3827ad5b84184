// An organiser: requests every list once in each iteration, for platforms with much data.
import { lists, optionsOf, routeOf } from './options.js';
import { guarded, read } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('lists');

const pages = Number(__ENV.PAGES || 1);

export const readLists = guarded(({ admin }) => {
  for (const path of lists) read(path.replace('{page}', String(1 + Math.floor(Math.random() * pages))), routeOf(path), admin);
});
