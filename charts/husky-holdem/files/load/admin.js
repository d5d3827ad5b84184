// An organiser: polls the admin pages jobs, pool and audit log.
import { optionsOf } from './options.js';
import { read } from './target.js';

export { setup } from './accounts.js';
export { handleSummary } from './summary.js';
export const options = optionsOf('admin');

export function adminPolling({ admin }) {
  read('/admin/jobs?page=1&page_size=50', '/admin/jobs', admin);
  read('/docker/pool/status', '/docker/pool/status', admin);
  read('/admin/audit?page=1', '/admin/audit', admin);
}
