// Creates the accounts for k6 and writes them to a file: node k8s/load/accounts-file.ts FILE. Used by the chart's Job.
import { writeFileSync } from 'node:fs';
import { createAccounts } from './accounts.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const file = process.argv[2];
  const { origin, admin, users } = readSettings(process.env);
  if (file === undefined || origin === undefined)
    throw new Error('usage: ORIGIN=… ADMIN_PASSWORD=… node accounts-file.ts FILE');
  writeFileSync(file, JSON.stringify(await createAccounts(origin, admin, users)), { mode: 0o600 });
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
