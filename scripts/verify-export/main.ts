// `make verify EXPORT=file.zip`: verifies an export (docs/data.md) offline. Exit code 0: verified, 1: failures, 2: not readable.
import { verifyFile } from './verify.ts';

process.exitCode = await verifyFile(process.argv[2] ?? '', (line) => process.stdout.write(`${line}\n`));
