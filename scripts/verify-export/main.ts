// `make verify EXPORT=file.zip KEY=key`: verifies an export (docs/data.md) offline. Exit code 0: verified, 1: failures, 2: not readable.
import { verifyFile } from './verify.ts';

const [path = '', ...keys] = process.argv.slice(2).filter((argument) => argument !== '');
process.exitCode = await verifyFile(path, (line) => process.stdout.write(`${line}\n`), keys);
