// The code of a thread that computes the values of matches.
import { serveThread } from '@husky/runtime/process/threads';
import { computeValues } from '../domain/match-values.ts';

serveThread(computeValues);
