import type { FileSignature } from '@husky/match/file-signature';
import type { NotCovered } from '@husky/match/not-covered';
import type { NoteKey } from '@husky/match/signed-note';
import { keysOf, verify } from '../../services/kit/src/commands/verify.ts';
import { verifyBatch } from '../../services/kit/src/commands/verify-batch.ts';
import { KitError } from '../../services/kit/src/wire.ts';
import { Archive, BatchDownload, NotAnExport } from './archive.ts';
import { ExportCheck } from './export-check.ts';

export interface Verification {
  readonly matches: number;
  readonly hands: number;
  readonly actions: number;
  /** Matches whose seeds are not published. */
  readonly unpublished: number;
  readonly failures: readonly string[];
  /** Tables or columns of a later release. */
  readonly unknown: readonly string[];
  readonly signature: FileSignature;
  readonly notCovered: readonly NotCovered[];
  /** How many of the planned matches are verified; null without a plan. */
  readonly planned: string | null;
}

type Print = (line: string) => void;

/** Verifies an export, or a download of a match or batch, and prints the result. `keys`: texts of the site's keys. Returns the exit code: 0: verified, 1: failures, 2: not readable. */
export async function verifyFile(path: string, print: Print, keys: readonly string[] = []): Promise<number> {
  if (path === '') {
    print('Name the file: make verify EXPORT=export.zip');
    return 2;
  }
  let archive: Archive | undefined;
  try {
    if (!path.endsWith('.zip')) return await verifyDownload(path, print, keys);
    archive = await Archive.open(path);
    print(`${archive.manifest.content}: ${archive.manifest.matches} matches, ${archive.manifest.hands} hands`);
    const { failures, unknown, notCovered, signature, planned, ...sums } = await verifyExport(
      archive,
      print,
      keysOf(keys),
    );
    if (failures.length > 0) {
      print(`NOT VERIFIED: ${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`);
      return 1;
    }
    printResult({ ...sums, matches: sums.matches - sums.unpublished, planned }, print);
    print(
      'All files have their SHA-256. Tables, PHH files, descriptions and manifest were computed again and compared.',
    );
    print(signatureText(signature));
    const later = { what: unknown.join(', '), fields: unknown, why: 'a later release wrote them' };
    printNotCovered(unknown.length > 0 ? [...notCovered, later] : notCovered, print);
    return 0;
  } catch (error) {
    if (error instanceof BatchDownload) return verifyDownload(path, print, keys);
    if (!(error instanceof NotAnExport || error instanceof KitError)) throw error;
    print(error.message);
    return 2;
  } finally {
    archive?.close();
  }
}

/** Verifies an export. Calls `onFailure` with a sentence for each failure, at most once for each file, table and match. */
export async function verifyExport(
  archive: Archive,
  onFailure: Print,
  keys: readonly NoteKey[] = [],
): Promise<Verification> {
  const failures: string[] = [];
  const report = (sentence: string) => {
    failures.push(sentence);
    onFailure(sentence);
  };
  const check = new ExportCheck(archive, report);
  const phh = await check.readFiles();
  for (const path of archive.paths.filter((one) => one.startsWith('matches/')).sort()) {
    const part = path.slice('matches/'.length);
    try {
      await check.verifyPart(part, phh);
    } catch (error) {
      report(`${part}: the tables cannot be read: ${(error as Error).message}.`);
    }
  }
  await check.finish(phh);
  const signature = check.checkSignature(keys);
  return {
    ...check.sums,
    failures,
    unknown: [...check.unknown],
    notCovered: check.notCovered,
    signature,
    planned: check.planned,
  };
}

/** Verifies the file of a match, or the archive of a batch, as `husky verify` does. */
async function verifyDownload(path: string, print: Print, keys: readonly string[]): Promise<number> {
  try {
    const found = path.endsWith('.zip')
      ? await verifyBatch(path, keysOf(keys))
      : { matches: 1, unpublished: 0, planned: null, ...(await verify(path, keysOf(keys))) };
    printResult(found, print);
    print(signatureText(found.signature));
    printNotCovered(found.not_covered, print);
    return 0;
  } catch (error) {
    if (!(error instanceof KitError)) throw error;
    print(error.message);
    return error.code;
  }
}

function printResult(
  {
    matches,
    hands,
    actions,
    unpublished,
    planned,
  }: Omit<Verification, 'failures' | 'unknown' | 'notCovered' | 'signature'>,
  print: Print,
) {
  const note = unpublished > 0 ? ` The seeds of ${unpublished} matches are not published yet.` : '';
  print(`Verified: ${matches} matches, ${hands} hands and ${actions} actions follow from the committed seeds.${note}`);
  if (planned) print(planned);
}

function printNotCovered(entries: readonly NotCovered[], print: Print): void {
  print('Not covered:');
  for (const { what, why } of entries) print(`- ${what}: ${why}`);
}

function signatureText({ state, key }: FileSignature): string {
  if (state === 'signed') return `The site has signed it with the key ${key}.`;
  if (state === 'unsigned') return 'It is not signed: a local match, or a file of an earlier release.';
  return `Its signature is not checked: the key ${key} is not given. The site's fairness page shows its keys: KEY=...`;
}
