// An organiser: polls the admin pages jobs, pool and audit log.
import { admin, read } from '../target.js';

export function adminPolling() {
  read('/admin/jobs?page=1&page_size=50', '/admin/jobs', admin);
  read('/docker/pool/status', '/docker/pool/status', admin);
  read('/admin/audit?page=1', '/admin/audit', admin);
}
