import { readFile } from 'node:fs/promises';
import { NoteError } from '@husky/match/signed-note';
import { verifyTournament } from '@husky/match/tournament-document';
import { VerificationFailure } from '@husky/match/verify-match';
import type { Command } from '../command.ts';
import { KitError } from '../wire.ts';
import { keysOf } from './verify.ts';

const notCovered = [
  {
    what: 'winnings',
    why: 'they follow from the matches: verify the archives of the stages, and run docs/tournament.py',
  },
  { what: 'results without luck, faults, dates', why: 'the site states them' },
];

/** The command `verify-tournament` with `{path, keys}`: checks the document of a tournament and its signature. Throws KitError. */
export const verifyTournamentCommand: Command = async ({ path, keys }) => {
  const text = await readFile(String(path), 'utf8');
  const not = (why: string) => new KitError(1, `${String(path)} is not verified. ${why}`);
  try {
    return { ...verifyTournament(text, keysOf(keys)), not_covered: notCovered };
  } catch (error) {
    if (error instanceof VerificationFailure) throw not(error.message);
    if (error instanceof NoteError) throw not(`signature: ${error.message}.`);
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    throw new KitError(2, `${String(path)} is no document of a tournament: ${error.message}. Download it again.`);
  }
};
