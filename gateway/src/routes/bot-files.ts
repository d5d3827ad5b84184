import type { MultipartForm, UploadedFile } from '../http/multipart.ts';

const playerFile = 'player.py';
const requirementsFile = 'requirements.txt';

/** Creates the upload form of a bot: its two files, with the form fields accepted for each. */
export function botForm(playerFields: readonly string[], requirementsFields: readonly string[]): MultipartForm {
  return {
    files: { [playerFile]: playerFields, [requirementsFile]: requirementsFields },
    missing: `Both ${playerFile} and ${requirementsFile} must be provided`,
  };
}

/** Returns the two files of an upload that matched `botForm`. */
export function botFilesOf(files: ReadonlyMap<string, UploadedFile>): { playerFile: Buffer; requirementsFile: Buffer } {
  const dataOf = (name: string) => files.get(name)?.data ?? Buffer.alloc(0);
  return { playerFile: dataOf(playerFile), requirementsFile: dataOf(requirementsFile) };
}
