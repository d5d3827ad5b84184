// Installs Keycloak if necessary and prints its folder, for the build of its image. Progress goes to stderr.
import { installKeycloak } from './install.ts';

process.stdout.write(`${await installKeycloak((line) => process.stderr.write(`${line}\n`))}\n`);
