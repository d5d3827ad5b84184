// Writes the source archive for an image into `.source`, or into the folder given as argument.
import { join, resolve } from 'node:path';
import { makeSourceArchive } from './archive.ts';

const root = join(import.meta.dirname, '../..');
makeSourceArchive(root, resolve(root, process.argv[2] ?? '.source'));
