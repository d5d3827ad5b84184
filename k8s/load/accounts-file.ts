// Writes the accounts for k6 to a file: node k8s/load/accounts-file.ts FILE. Used by the chart's Job; `make load` does the same.
import { writeFileSync } from 'node:fs';
import { makeAccounts } from './accounts.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const file = process.argv[2];
  const { origin, admin, users } = readSettings(process.env);
  if (file === undefined || origin === undefined)
    throw new Error('usage: ORIGIN=… ADMIN_PASSWORD=… node accounts-file.ts FILE');
  writeFileSync(file, JSON.stringify(await makeAccounts(origin, admin, users)), { mode: 0o600 });
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
