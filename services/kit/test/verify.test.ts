// Every kind of field of a match file is changed once: `husky verify` names it, or lists it as not covered.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sha256Hex } from '@husky/match/commitment';
import { csvCells, csvHeader, csvLine } from '@husky/match/csv';
import { withSignature } from '@husky/match/file-signature';
import type { GameData } from '@husky/match/game-data';
import { csvWriter, jsonlWriter, type MatchWriter, phhWriter } from '@husky/match/match-file';
import { type FileKind, fileText, type NoteKey, signNote } from '@husky/match/signed-note';
import { mutationsOf, otherValue } from '@husky/testkit/mutations';
import { noteSigner } from '@husky/testkit/note-signer';
import { endOf, partsOf, type StoredMatchFile, storedMatchFile } from '@husky/testkit/stored-match-file';
import { afterAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { verify } from '../src/commands/verify.ts';
import { verifyBatch } from '../src/commands/verify-batch.ts';

const folder = mkdtempSync(join(tmpdir(), 'husky-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const matches = {
  'carry-moving-button': 'rules version 1',
  'carry-dead-button': 'a dead small blind',
  'carry-until-bust': 'busts and side pots',
  'duplicate-seating-2': 'a duplicate deal set',
  'reset-three': 'reset stacks',
  'public-randomness': 'nonces and a seed of a list',
};

/** Words of messages for fields whose own names they do not have. */
const words: Readonly<Record<string, string>> = {
  action_sequence: 'action|it ends while',
  big: 'blinds',
  bigBlindSeat: 'big blind',
  cbr: 'finishing_stacks',
  commitment: 'committed facts',
  commitment_input: 'committed facts',
  commitment_record: 'record',
  day: 'it began',
  faults: 'verdict',
  finalBoard: 'board',
  finalMoney: 'stacks after',
  flop: 'turn|board|end_stack',
  job_id: 'Match of the record',
  month: 'it began',
  playerHands: 'cards of seat',
  playerNames: 'stacks before',
  river: 'folded',
  rounds: 'it ends while',
  rules_version: 'rules version',
  small: 'blinds',
  smallBlindSeat: 'small blind',
  startingMoney: 'stacks before',
  thisGameDelta: 'chips won',
  total_pot_after_action: 'pot after',
  turn: 'river|board|end_stack',
  username: 'playerNames',
  verdicts: 'verdict',
};

interface Changed {
  readonly path: string;
  readonly kind: string;
  readonly text: string;
}

const signer = noteSigner();

/** Returns `text` with the signature of `original`. */
const signed = (original: string, text = original, kind: FileKind = 'match'): string =>
  withSignature(text, signNote(fileText(signer.key.name, kind, sha256Hex(original)), [signer]));

const partsBy = (file: StoredMatchFile, writer: MatchWriter) => partsOf(file, writer).join('');

/** Yields a match's file of JSON lines with each kind of field changed. The play digest is computed again. */
function* changedLines(file: StoredMatchFile): Generator<Changed> {
  const text = (changed: Partial<StoredMatchFile>) => partsBy({ ...file, ...changed }, jsonlWriter);
  for (const { document: manifest, ...field } of mutationsOf(file.manifest))
    yield { ...field, text: text({ manifest }) };
  for (const { document: end, ...field } of mutationsOf(file.end)) yield { ...field, text: text({ end }) };
  const seen = new Set<string>();
  for (const [index, game] of file.games.entries()) {
    for (const { document, ...field } of mutationsOf<GameData>(game, seen)) {
      const games = file.games.with(index, document);
      yield { ...field, text: text({ games, end: endOf(games) }) };
    }
  }
}

/** Yields a match's PHH file with each field of a table, and each kind of action, changed. */
function* changedPhh(file: StoredMatchFile): Generator<Changed> {
  const parts = partsOf(file, phhWriter);
  const seen = new Set<string>();
  for (const [index, part] of parts.slice(1, -1).entries()) {
    const lines = part.split('\n');
    for (const [place, line] of lines.entries()) {
      const [, name, value = ''] = /^(\w+) = (.+)$/.exec(line) ?? [];
      const [, action = '', verdict] = /^ {2}"(?:p\d )?(\w+(?: db| dh)?)[^#"]*(?:# (\w+))?/.exec(line) ?? [];
      const kind = name ?? (verdict === undefined ? `actions.${action}` : 'actions.*.verdict');
      if (kind === 'actions.' || value === '[' || seen.has(kind)) continue;
      seen.add(kind);
      const changed =
        verdict !== undefined
          ? line.replace(verdict, String(otherValue(verdict)))
          : name === undefined
            ? line.replace(/"(.*)"/, (_, text: string) => `"${otherAction(text)}"`)
            : `${name} = ${otherField(value)}`;
      const text = parts.with(index + 1, lines.with(place, changed).join('\n')).join('');
      yield { path: kind, kind, text };
    }
  }
}

const otherField = (value: string): string =>
  /"/.test(value)
    ? value.replace(/"([^"]*)"/, (_, text: string) => JSON.stringify(otherValue(text)))
    : String(otherValue(value));

const otherAction = (text: string): string =>
  text.endsWith(' f')
    ? text.replace('f', 'cc')
    : text.endsWith(' cc')
      ? text.replace('cc', 'f')
      : text.replace(/([2-9TJQKA])(?=[hdcs]+)|(\d)$/, (value) =>
          value === 'A' ? 'K' : /^\d$/.test(value) ? String((Number(value) % 8) + 2) : 'A',
        );

/** Yields a match's CSV file with each column changed in one row. */
function* changedCsv(file: StoredMatchFile): Generator<Changed> {
  const parts = partsOf(file, csvWriter);
  const seen = new Set<string>();
  for (const [index, part] of parts.slice(1, -1).entries()) {
    const rows = part.split('\r\n').slice(0, -1).map(csvCells);
    for (const [place, cells] of rows.entries()) {
      for (const [column, name] of csvHeader.entries()) {
        const cell = cells[column] ?? '';
        if (cell === '' || seen.has(name)) continue;
        seen.add(name);
        const other = /^-?\d+$/.test(cell) ? String(Number(cell) + 1) : String(otherValue(cell));
        const changed = rows.with(place, cells.with(column, other)).map((row) => csvLine(row));
        yield { path: name, kind: name, text: parts.with(index + 1, changed.join('')).join('') };
      }
    }
  }
}

const writers = [jsonlWriter, phhWriter, csvWriter];

/** Returns a match's file with the names of two players swapped wherever they are. */
function withSwappedNames(file: StoredMatchFile): StoredMatchFile {
  const swap = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/"(ann|bob)"/g, (_, name) => (name === 'ann' ? '"bob"' : '"ann"')),
    ) as T;
  const games = file.games.map((game) => ({ ...swap(game), playerNames: swap(game.playerNames) }));
  return { manifest: swap(file.manifest), games, end: endOf(games) };
}

/** Runs a check. Returns the message of its refusal, or the fields that it says it does not cover. */
async function outcomeOf(
  text: string,
  isDigest = false,
  keys: readonly NoteKey[] = [],
): Promise<{ refusal: string } | { fields: readonly string[]; signature: string; seedIsListed: boolean }> {
  const path = join(folder, 'match');
  writeFileSync(path, text);
  try {
    const { not_covered, signature } = await verify(path, keys);
    const seedIsListed = !not_covered.some(({ what }) => what === 'whether somebody chose the seed');
    return { fields: not_covered.flatMap(({ fields }) => fields), signature: signature.state, seedIsListed };
  } catch (error) {
    const refusal = (error as Error).message;
    const [, expected, found] = /play_digest: expected ([0-9a-f]{64}), found ([0-9a-f]{64})/.exec(refusal) ?? [];
    // Who changes a file can compute its digest again.
    return expected && found && text.includes(found) && !isDigest
      ? outcomeOf(text.replace(found, expected), false, keys)
      : { refusal };
  }
}

/** Returns the changed fields that are accepted although they are not listed, or whose refusals do not name them. */
async function missed(changes: Iterable<Changed>): Promise<string[]> {
  const found: string[] = [];
  for (const { kind, text } of changes) {
    const outcome = await outcomeOf(text, kind === 'play_digest');
    const keys = kind.split('.').filter((key) => key !== '*' && key !== 'removed');
    if ('fields' in outcome) {
      if (!outcome.fields.some((field) => field === kind || kind.startsWith(`${field}.`)))
        found.push(`${kind} is accepted`);
    } else if (!keys.some((key) => new RegExp(`${key}|${words[key] ?? key}`).test(outcome.refusal)))
      found.push(`${kind}: ${outcome.refusal}`);
  }
  return found;
}

describe.each(Object.entries(matches))('of a stored match, %s (%s)', (matchId) => {
  const file = storedMatchFile(matchId, { asOnce: matchId === 'carry-moving-button' });
  const newFile = storedMatchFile(matchId);

  it.each(writers)('verifies the file .$extension', async (writer) => {
    const fields = expect.any(Array);
    const text = partsBy(newFile, writer);
    const verified = { fields, seedIsListed: matchId === 'public-randomness' };
    expect(await outcomeOf(text)).toEqual({ ...verified, signature: 'unsigned' });
    expect(await outcomeOf(signed(text))).toEqual({ ...verified, signature: 'unknown-key' });
    expect(await outcomeOf(signed(text), false, [signer.key])).toEqual({ ...verified, signature: 'signed' });
  });

  it('refuses or lists every kind of field of JSON lines', async () => {
    expect(await outcomeOf(partsBy(file, jsonlWriter))).toMatchObject({ fields: expect.any(Array) });
    expect(await missed(changedLines(file))).toEqual([]);
  });

  it.each(writers)(
    'refuses swapped names of two players in the file .$extension, if there is a plan',
    async (writer) => {
      const swapped = withSwappedNames(newFile);
      expect(await outcomeOf(partsBy(swapped, writer))).toEqual({
        refusal: expect.stringContaining('plan.names.0: '),
      });
      const { plan } = newFile.manifest;
      const behind = partsBy({ ...swapped, manifest: { ...swapped.manifest, plan } }, writer);
      expect(await outcomeOf(behind)).toEqual({
        refusal: expect.stringContaining('players.0.username: expected ann, found bob'),
      });
      const onlyHands = partsBy({ ...swapped, manifest: newFile.manifest }, writer);
      expect(await outcomeOf(onlyHands)).toEqual({ refusal: expect.stringMatching(/Hand 1: player.*expected .*ann/) });
      const { plan: _, ...manifest } = swapped.manifest;
      const listed = await outcomeOf(partsBy({ ...swapped, manifest }, writer));
      expect(listed).toMatchObject({ fields: expect.arrayContaining(['players.*.username']) });
    },
  );

  it.each([
    ['PHH', changedPhh],
    ['CSV', changedCsv],
  ])('refuses or lists every kind of field of %s', async (_, changes) => {
    expect(await missed(changes(newFile))).toEqual([]);
  });

  it.each([
    ['jsonl', jsonlWriter, changedLines],
    ['PHH', phhWriter, changedPhh],
    ['CSV', csvWriter, changedCsv],
  ] as const)('refuses every change of a signed %s, also of what nobody can compute', async (_, writer, changes) => {
    const original = partsBy(newFile, writer);
    const accepted: string[] = [];
    for (const { kind, text } of changes(newFile)) {
      const outcome = await outcomeOf(signed(original, text), kind === 'play_digest', [signer.key]);
      if (!('refusal' in outcome)) accepted.push(kind);
    }
    expect(accepted).toEqual([]);
  });
});

describe("of a batch's archive", () => {
  const numbers = [7, 9];
  const files = numbers.map((game, index) => storedMatchFile(`duplicate-seating-${index + 1}`, { game }));
  const nameOf = ({ manifest }: StoredMatchFile) => `game-${String(manifest.job_id)}.jsonl`;
  const manifest = {
    batch_id: files[0]?.manifest.batch_id,
    batch_number: 3,
    source: 'https://poker.test/batches/3',
    format: 'jsonl',
    made_at: '2025-10-10T00:00:00.000Z',
    total_jobs: 2,
    finished_jobs: 2,
    complete: true,
    license: { name: 'MIT', text: 'the file LICENSE' },
    matches: files.map((file, index) => ({
      file: nameOf(file),
      job_id: file.manifest.job_id,
      game_number: numbers[index],
      hands: file.games.length,
      digest: file.manifest.digest,
    })),
  };

  const unsigned = JSON.stringify(manifest);

  async function outcomeOfArchive(changed: object | string, added: readonly string[] = [], archived = files) {
    const zip = new ZipFile();
    for (const file of archived) zip.addBuffer(Buffer.from(partsBy(file, jsonlWriter)), nameOf(file));
    for (const name of added) zip.addBuffer(Buffer.from('x'), name);
    zip.addBuffer(Buffer.from(typeof changed === 'string' ? changed : JSON.stringify(changed)), 'manifest.json');
    zip.end();
    const path = join(folder, 'batch.zip');
    writeFileSync(path, await buffer(zip.outputStream));
    try {
      const { not_covered, signature, planned } = await verifyBatch(path, [signer.key]);
      return { fields: not_covered.flatMap(({ fields }) => fields), signature: signature.state, planned };
    } catch (error) {
      return { refusal: (error as Error).message };
    }
  }

  it('verifies every match and the manifest', async () => {
    const fields = expect.arrayContaining(['total_jobs']);
    const planned = expect.stringMatching(
      /^2 of 28 matches of the plan are verified[.] Missing .* 6, 8, 10, .*, 22, [.]{3}[.]$/,
    );
    expect(await outcomeOfArchive(manifest)).toEqual({ fields, planned, signature: 'unsigned' });
    expect(await outcomeOfArchive(signed(unsigned, unsigned, 'batch'))).toEqual({
      fields,
      planned,
      signature: 'signed',
    });
    const twice = [files[0], storedMatchFile('duplicate-seating-2')] as typeof files;
    expect(await outcomeOfArchive(manifest, [], twice)).toEqual({
      refusal: expect.stringContaining('Match 7 of its plan is there twice.'),
    });
    expect(await outcomeOfArchive(manifest, ['more.txt'])).toEqual({ refusal: expect.stringMatching(/more[.]txt/) });
  });

  it('refuses every change of a signed manifest, and the signature of another kind of file', async () => {
    const accepted: string[] = [];
    for (const { kind, document } of mutationsOf(manifest)) {
      const outcome = await outcomeOfArchive(signed(unsigned, JSON.stringify(document), 'batch'));
      if (outcome.refusal === undefined) accepted.push(kind);
    }
    expect(accepted).toEqual([]);
    expect(await outcomeOfArchive(signed(unsigned))).toEqual({ refusal: expect.stringContaining('signature: ') });
  });

  it('refuses or lists every kind of field of the manifest', async () => {
    const found: string[] = [];
    for (const { kind, document } of mutationsOf(manifest)) {
      const outcome = await outcomeOfArchive(document);
      const key = kind.split('.').findLast((one) => one !== '*' && one !== 'removed') ?? '';
      const isListed = outcome.fields?.some((field) => kind === field || kind.startsWith(`${field}.`));
      if (outcome.refusal === undefined ? !isListed : !outcome.refusal.includes(key))
        found.push(`${kind}: ${outcome.refusal}`);
    }
    expect(found).toEqual([]);
  });
});
