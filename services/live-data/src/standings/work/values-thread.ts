// The code of a thread that computes the values of matches.
import { serveThread } from '@husky/runtime/threads';
import { packedValues } from '../domain/match-values.ts';

serveThread(packedValues);
