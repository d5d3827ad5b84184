import { readVariables } from '@husky/runtime/process/config';
import { variableNotes } from '@husky/runtime/process/variable-notes';
import { type Part, schemasOf, type ValuesOf, type Variable, variables } from '@husky/runtime/process/variables';
import { messageOf } from '@husky/runtime/rpc/errors';
import { CannotStart } from './preflight.ts';

const settable = Object.entries<Variable>(variables).filter(([, { wired }]) => !wired);

/** Variables of the machine that every part gets. */
const machineNames = [
  'PATH',
  'HOME',
  'LANG',
  'TMPDIR',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

export const machineVariables = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(machineNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** Variables of the platform as a person has set them, URLs in normal form. */
export type Given = Readonly<Partial<Record<string, string>>>;

/**
 * Reads the variables of the platform. `values`: those of `make up` itself; `notes`: what has no effect. Throws CannotStart with one
 * sentence that names the invalid ones, of every part.
 */
export function readGiven(env: NodeJS.ProcessEnv): { values: ValuesOf<'make up'>; given: Given; notes: string[] } {
  try {
    // Left out, a variable that a part requires is set below by make up.
    const present = settable.filter(([name, { needs }]) => env[name] && (!needs || env[needs[0]] === needs[1]));
    const read = readVariables(Object.fromEntries(present.map(([name, { schema }]) => [name, schema])), env);
    const values = readVariables(schemasOf('make up'), env) as ValuesOf<'make up'>;
    const given = present.map(([name]) => [name, typeof read[name] === 'string' ? read[name] : env[name]]);
    return { values, given: Object.fromEntries(given), notes: variableNotes('make up', env) };
  } catch (error) {
    throw new CannotStart(messageOf(error));
  }
}

/** Returns those of the given variables that a part reads. */
export const givenTo = (part: Part, given: Given): Record<string, string> =>
  Object.fromEntries(Object.keys(schemasOf(part)).flatMap((name) => (given[name] ? [[name, given[name]]] : [])));

/** Returns those of the variables that make up sets which a part reads, and all that are no variables of the platform. */
export const readBy = (part: Part, set: Readonly<Record<string, string>>): Record<string, string> => {
  const own = schemasOf(part);
  return Object.fromEntries(Object.entries(set).filter(([name]) => name in own || !(name in variables)));
};
