// Prints the folder of Keycloak for the build of its image. Installs it first if it is missing. Progress is written to stderr.
import { installKeycloak } from './install.ts';

process.stdout.write(`${await installKeycloak((line) => process.stderr.write(`${line}\n`))}\n`);
