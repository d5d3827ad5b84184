// Writes the accounts for k6 to a file, those of ACCOUNTS or new ones: node k8s/load/accounts-file.ts FILE. Used by the chart's Job. Also
// creates the folder RESULTS, because k6 does not.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createAccounts } from './accounts.ts';
import { readSettings } from './settings.ts';

async function main(): Promise<void> {
  const file = process.argv[2];
  const { origin, accounts, admin, users, results } = readSettings(process.env);
  if (file === undefined || origin === undefined)
    throw new Error('usage: ORIGIN=… ADMIN_PASSWORD=… node accounts-file.ts FILE');
  mkdirSync(results, { recursive: true });
  const text =
    accounts === undefined
      ? JSON.stringify(await createAccounts(origin, admin, users))
      : readFileSync(accounts, 'utf8');
  writeFileSync(file, text, { mode: 0o600 });
}

await main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
