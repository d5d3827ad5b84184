// usage: node scripts/source-archive/main.ts [folder]. Writes the source archive for the web image into a folder, by default `.source`.
import { join, resolve } from 'node:path';
import { writeSourceArchive } from './archive.ts';

const root = join(import.meta.dirname, '../..');
writeSourceArchive(root, resolve(root, process.argv[2] ?? '.source'));
