// Installs Keycloak if it is missing and prints its folder. Progress is written to stderr.
import { installKeycloak } from './install.ts';

process.stdout.write(`${await installKeycloak((line) => process.stderr.write(`${line}\n`))}\n`);
