// Fills a migrated database without jobs with 10,000 users, 100,000 jobs and 2,000,000 hands, in one or two minutes.
// usage: node scripts/seed-large/main.ts <superuser URL of the database> [users] [jobs]
import { seedLarge } from './seed.ts';

const [url, users = '10000', jobs = '100000'] = process.argv.slice(2);
if (url === undefined) {
  process.stderr.write('usage: node scripts/seed-large/main.ts <superuser URL of the database> [users] [jobs]\n');
  process.exit(2);
}
const print = (line: string) => process.stdout.write(`${line}\n`);
await seedLarge(url, { users: Number(users), jobs: Number(jobs), audits: 2 * Number(jobs) }, print);
