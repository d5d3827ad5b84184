// An organiser: polls the admin pages jobs, pool and audit log.
import { optionsOf } from './options.js';
import { guarded, read } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('admin');

export const adminPolling = guarded(({ admin }) => {
  read('/admin/jobs?page=1&page_size=50', '/admin/jobs', admin);
  read('/docker/pool/status', '/docker/pool/status', admin);
  read('/admin/audit?page=1', '/admin/audit', admin);
});
