// An organiser who polls the admin's pages: jobs, pool, users.
import { sleep } from 'k6';
import { admin, read } from '../target.js';

export function adminPolling() {
  read('/sim/status/all?page=1&page_size=50', 'all jobs', admin);
  read('/docker/pool/status', 'pool', admin);
  read('/admin/audit?page=1', 'audit log', admin);
  sleep(2);
}
