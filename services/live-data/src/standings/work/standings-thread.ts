// The code of the thread that computes standings.
import { serveThread } from '@husky/runtime/threads';
import { packedStandings } from '../domain/packed-standings.ts';

serveThread(packedStandings);
