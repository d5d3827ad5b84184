// Prints the folder of the installed Keycloak, for the image of it; what it says while it installs goes to stderr.
import { installKeycloak } from './install.ts';

process.stdout.write(`${await installKeycloak((line) => process.stderr.write(`${line}\n`))}\n`);
