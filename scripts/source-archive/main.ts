// Makes the source archive for an image: `.source/husky-holdem-<version>.tar.gz`, or in the folder that is given.
import { join, resolve } from 'node:path';
import { makeSourceArchive } from './archive.ts';

const root = join(import.meta.dirname, '../..');
makeSourceArchive(root, resolve(root, process.argv[2] ?? '.source'));
