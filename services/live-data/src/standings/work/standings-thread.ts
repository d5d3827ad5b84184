// The code of the thread that computes standings.
import { serveThread } from '@husky/runtime/process/threads';
import { standingsFromPacked } from '../domain/packed-standings.ts';

serveThread(standingsFromPacked);
