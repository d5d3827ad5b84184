import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSignature } from '@husky/match/file-signature';
import { csvWriter, phhWriter } from '@husky/match/match-file';
import { fileText, signNote } from '@husky/match/signed-note';
import { mutationsOf, otherValue } from '@husky/testkit/mutations';
import { noteSigner } from '@husky/testkit/note-signer';
import { partsOf, storedMatchFile } from '@husky/testkit/stored-match-file';
import { afterAll, describe, expect, test } from 'vitest';
import { parseDescription } from '../../services/live-data/src/exports/domain/metadata.ts';
import { type Row, type TableName, tables } from '../../services/live-data/src/exports/domain/tables.ts';
import { sha256 } from './archive.ts';
import { notCovered } from './not-covered.ts';
import { type Changes, type ExportContent, exportOf, writeExport } from './test/written-export.ts';
import { verifyFile } from './verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'husky-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'export.zip');

// A bust with side pots, reset stacks, a dead small blind, public randomness, and two with other cards, so that there are estimates.
const content = exportOf(
  ['carry-until-bust', 'reset-three', 'carry-dead-button', 'played-1', 'played-2', 'public-randomness'],
  { games: [1, 2, 3, 4, 5, 7] },
);

async function verify(changed: Partial<ExportContent> = {}, changes: Changes = {}, keys: readonly string[] = []) {
  writeExport(file, { ...content, ...changed }, changes);
  const lines: string[] = [];
  const code = await verifyFile(file, (line) => lines.push(line), keys);
  return { code, output: lines.map((line) => `${line}\n`).join('') };
}

// For what does not depend on the hands.
const small = exportOf(['played-1']);

const withRow = (table: TableName, index: number, row: Row): Partial<ExportContent> => ({
  rows: { ...content.rows, [table]: content.rows[table].with(index, row) },
});

test('verifies every hand of an export, and lists what it does not cover', async () => {
  const { code, output } = await verify();
  expect(output).toMatch(/^batch 3: 6 matches, \d+ hands\nVerified: 6 matches, \d+ hands and \d+ actions follow/);
  expect(output).toMatch(
    /Not covered:\n- whether the bots .+\n(- .+: .+\n)+- whether somebody chose the seeds of 5 matches: .+\n$/,
  );
  expect(output).toMatch(
    /\n6 of 112 matches of 4 plans are verified. The others are missing here, or their seeds are.\n/,
  );
  expect(code).toBe(0);
});

test('names the matches of a plan that are missing, whatever the manifest states', async () => {
  const { output } = await verify(exportOf(['played-1', 'played-2', 'played-3'], { games: [1, 2, 5] }));
  const missing = `3, 4, ${Array.from({ length: 18 }, (_, index) => index + 6).join(', ')}, ...`;
  expect(output).toContain(
    `\n3 of 28 matches of the plan are verified. Missing here, or their seeds are: ${missing}.\n`,
  );
  expect((await verify(exportOf(['played-1'], { hasPlan: false }))).output).not.toContain('matches of the plan');
});

test('says of a manifest whether it is signed, and refuses every change of a signed one', async () => {
  const signer = noteSigner();
  const sign = (original: string, text = original) => {
    const hash = sha256(Buffer.from(original));
    return withSignature(text, signNote(fileText(signer.key.name, 'export', hash), [signer]));
  };
  let original = '';
  const keep = (text: string) => {
    original = text;
    return sign(text);
  };
  const { text: key } = signer.key;
  expect((await verify(small)).output).toContain('It is not signed');
  expect((await verify(small, { manifestText: keep })).output).toContain(
    `${signer.key.name}+${signer.key.id} is not given`,
  );
  expect(await verify(small, { manifestText: keep }, [key])).toMatchObject({
    code: 0,
    output: expect.stringContaining(key),
  });
  expect(await verify(small, { manifestText: keep }, ['x'])).toMatchObject({
    code: 2,
    output: expect.stringContaining("'x' is no key"),
  });
  const accepted: string[] = [];
  for (const { kind, document } of mutationsOf(JSON.parse(original))) {
    const manifestText = () => sign(original, JSON.stringify(document));
    if ((await verify(small, { manifestText }, [key])).code === 0) accepted.push(kind);
  }
  expect(accepted).toEqual([]);
});

test('verifies an export of version 1, and matches without a plan, and lists their names and numbers', async () => {
  const lines: string[] = [];
  expect(await verifyFile(join(import.meta.dirname, 'test/version-1.zip'), (line) => lines.push(line))).toBe(0);
  const { code, output } = await verify(exportOf(['carry-until-bust', 'played-1'], { hasPlan: false }));
  expect(code).toBe(0);
  for (const text of [lines.join('\n'), output])
    expect(text).toMatch(/Not covered:\n- numbers and batch of \d matches: .+\n- names of players \(ann, bob/);
});

test('verifies a duplicate deal set, and matches of rules version 1 with two players', async () => {
  expect(await verify(exportOf(['duplicate-seating-1', 'duplicate-seating-2', 'carry-heads-up']))).toMatchObject({
    code: 0,
  });
});

/** Words of messages for columns whose own names they do not have. */
const words: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['number', 'job_hash', 'time', 'previous', 'hash'].map((key) => [`matches.record_${key}`, 'of the chain']),
  ),
  'matches.commitment': 'committed facts',
  'matches.commitment_input': 'committed facts',
  'hands.started_at': 'PHH, time',
  'actions.ms': 'its time runs back',
  'actions.fault': 'PHH, actions',
  'bots.batch_number': 'bots.',
  'bots.user_id': 'bots.',
  'bots.bot_hash': 'bots.',
};

describe('with all hashes computed again', () => {
  const fields = notCovered.flatMap((one) => one.fields);
  const isListed = (kind: string) =>
    fields.some((field) => new RegExp(`^${field.replaceAll('*', '[^.]+')}($|[.])`).test(kind));

  // The match with a dead small blind has a value in every column.
  const changedColumns = Object.entries(tables).flatMap(([table, columns]) =>
    columns.map(({ name }): [string, TableName, string] => [`${table}.${name}`, table as TableName, name]),
  );

  test.each(changedColumns)('a changed value of %s is refused by its name, or listed', async (kind, table, name) => {
    const rows: readonly Row[] = content.rows[table];
    const index = Math.max(
      0,
      rows.findIndex((row) => row[name] !== null),
    );
    const row = rows[index] as Row;
    const { code, output } = await verify(
      withRow(table, index, {
        ...row,
        [name]: (row[name] === null && name !== 'cost_usd' ? 'x' : otherValue(row[name])) as Row[string],
      }),
    );
    if (code === 0) expect(fields).toContain(kind);
    else expect(output).toContain(name === 'job_id' ? 'matches' : (words[kind] ?? name));
  });

  const phhFile = 'phh/carry-dead-button.phhs';
  const phh = content.phh[phhFile] ?? '';
  const phhFields = [...new Set([...phh.matchAll(/^(\w+) = /gm)].map(([, name = '']) => name))];

  test.each(phhFields)('a changed %s in a PHH file is refused by its name', async (name) => {
    const changed = phh.replace(
      new RegExp(`^${name} = (?:\\[\\n)?.*?(\\d|"[^"]+"|true)`, 'm'),
      (text, value: string) =>
        text.slice(0, text.length - value.length) + (value.startsWith('"') ? '"x"' : String((Number(value) + 1) % 10)),
    );
    expect(changed).not.toBe(phh);
    const { code, output } = await verify({ phh: { ...content.phh, [phhFile]: changed } });
    expect(output).toMatch(new RegExp(`Hand 1: PHH, ${name}[.0-9]*: expected`));
    expect(code).toBe(1);
  });

  test('a PHH file of other players, other stacks or another match is refused', async () => {
    const changes = [
      (text: string) => text.replaceAll('"ann"', '"x"'),
      (text: string) => text.replaceAll('"ann"', '"x"').replaceAll('"bob"', '"ann"').replaceAll('"x"', '"bob"'),
      (text: string) => text.replace(/400/g, '500'),
      (text: string) => text.replace(/# match \S+/, '# match other'),
      (text: string) => text.slice(0, text.indexOf('[60]')),
      (text: string) => `${text}[65]\nvariant = "NT"\n`,
    ];
    for (const change of changes) {
      const { code, output } = await verify({ phh: { ...content.phh, [phhFile]: change(phh) } });
      expect(output).toMatch(/PHH/);
      expect(code).toBe(1);
    }
  });

  test('every kind of field of the manifest is refused by its name, or listed', async () => {
    let original: Record<string, unknown> = {};
    await verify(small, { manifest: (manifest) => (original = manifest) });
    const missed: string[] = [];
    for (const { kind, document } of mutationsOf(original)) {
      const { code, output } = await verify(small, { manifest: () => document });
      const key = kind.split('.').findLast((one) => one !== '*' && one !== 'removed') ?? '';
      // What the descriptions call it, and what a refusal of the archive says.
      const name = {
        source: 'url',
        made_at: 'created',
        'license.name': 'license',
        'license.text': 'license',
        path: 'missing',
        name: 'tables.',
        about: 'description',
        files: 'not in the manifest',
        sha256: 'SHA-256',
        format_version: 'has version',
        format: 'not that of',
        from: 'period',
      };
      const named = kind in name ? name[kind as keyof typeof name] : key in name ? name[key as keyof typeof name] : key;
      if (code === 0 ? !isListed(`manifest.${kind}`) : !output.includes(named))
        missed.push(`${kind}: ${code} ${output}`);
    }
    expect(missed).toEqual([]);
  });

  test('every kind of field of a description is refused by its name', async () => {
    let originals: Record<string, string> = {};
    await verify(small, { descriptions: (texts) => (originals = texts) });
    const missed: string[] = [];
    for (const [path, text] of Object.entries(originals)) {
      // One schema stands for all.
      if (path.startsWith('schemas/') && path !== 'schemas/pairs.json') continue;
      for (const { kind, document } of mutationsOf(parseDescription(path, text) as Record<string, unknown>)) {
        const changed = path === 'README.md' ? `---\n${JSON.stringify(document)}\n---\n` : JSON.stringify(document);
        const { code, output } = await verify(small, { descriptions: (texts) => ({ ...texts, [path]: changed }) });
        if (code !== 1 || !output.includes(path)) missed.push(`${path} ${kind}: ${code} ${output}`);
      }
    }
    expect(missed).toEqual([]);
    expect(Object.keys(originals)).toHaveLength(4 + Object.keys(tables).length);
  });

  test('swapped names are refused in every table, also with all PHH files changed', async () => {
    const swap = (text: unknown) => (text === 'ann' ? 'bob' : text === 'bob' ? 'ann' : text);
    const swapped = Object.fromEntries(
      Object.entries(content.rows).map(([table, rows]) => [
        table,
        rows.map((row) => ({
          ...row,
          ...Object.fromEntries(['username', 'opponent'].flatMap((key) => (key in row ? [[key, swap(row[key])]] : []))),
        })),
      ]),
    ) as unknown as ExportContent['rows'];
    const phh = Object.fromEntries(
      Object.entries(content.phh).map(([path, text]) => [
        path,
        text.replace(/"(ann|bob)"/g, (name) => JSON.stringify(swap(JSON.parse(name)))),
      ]),
    );
    const { code, output } = await verify({ rows: swapped, phh });
    expect(output).toMatch(/results, seat 1: username, name_salt and user_id are not those of the plan/);
    expect(code).toBe(1);
    const taken = swapped.results.map((row) => ({ ...row, name_salt: null }));
    const unbound = await verify({ rows: { ...swapped, results: taken }, phh });
    expect(unbound.output).toMatch(/Not covered:\n- names of players \(ann, bob, cem, dee, eve, fay\)/);
  });

  test('a match without the plan that it is committed to, or twice in it, is refused', async () => {
    const matches = content.rows.matches.map((row) => ({ ...row, plan: null }));
    expect((await verify({ rows: { ...content.rows, matches } })).output).toMatch(/matches.plan: expected the plan/);
    const twice = exportOf(['played-1', 'played-2'], { games: [1, 1] });
    writeExport(file, twice);
    const lines: string[] = [];
    expect(await verifyFile(file, (line) => lines.push(line))).toBe(1);
    expect(lines.join()).toContain('Match 1 of its plan is there twice.');
  });

  test('missing and added rows are refused', async () => {
    for (const table of ['results', 'hands', 'hand_players', 'actions', 'bots', 'standings', 'pairs'] as const) {
      const rows = content.rows[table];
      for (const changed of [rows.slice(0, -1), [...rows, rows.at(-1) as Row]]) {
        const { code } = await verify({ rows: { ...content.rows, [table]: changed } });
        expect([table, code]).toEqual([table, 1]);
      }
    }
  });
});

test('counts matches whose seeds are not published', async () => {
  const { code, output } = await verify({
    rows: { ...content.rows, matches: content.rows.matches.map((row) => ({ ...row, seed: null })) },
  });
  expect(output).toMatch(/Verified: 0 matches, \d+ hands and 0 actions/);
  expect(output).toContain('The seeds of 6 matches are not published yet.');
  expect(code).toBe(0);
});

test.each([phhWriter, csvWriter])('compares a downloaded .$extension file with the hands', async (writer) => {
  const path = join(folder, `match.${writer.extension}`);
  const text = partsOf(storedMatchFile('carry-dead-button'), writer).join('');
  const verifyText = async (changed: string) => {
    writeFileSync(path, changed);
    const lines: string[] = [];
    return { code: await verifyFile(path, (line) => lines.push(line)), output: lines.join('\n') };
  };
  expect(await verifyText(text)).toEqual({
    code: 0,
    output: expect.stringMatching(/^Verified: 1 matches, 64 hands(.|\n)*- times: /),
  });
  expect(await verifyText(text.replace(/(\n.*)400/, '$1500'))).toEqual({
    code: 1,
    output: expect.stringMatching(/Hand 1: start(ing)?_stack.*: expected .*400/),
  });
});

test('reports changed, missing and unlisted files', async () => {
  const files = [{ path: 'phh/reset-three.phhs', size: 1, sha256: 'f'.repeat(64) }];
  const { code, output } = await verify({}, { manifest: (manifest) => ({ ...manifest, files }) });
  expect(output).toContain('hands/part-00001.parquet is not in the manifest.');
  expect(output).toMatch(/phh\/reset-three.phhs: its SHA-256 is [0-9a-f]{64}, not ffff/);
  expect(code).toBe(1);
  const missing = [{ path: 'phh/other.phhs', size: 1, sha256: 'f'.repeat(64) }];
  const spoilt = await verify({}, { manifest: (manifest) => ({ ...manifest, files: missing }) });
  expect(spoilt.output).toContain('phh/other.phhs is missing.');
});

test.each<[string, Changes, RegExp]>([
  ['is truncated', { spoil: (bytes) => bytes.subarray(0, bytes.length - 100) }, /not a complete zip archive/],
  ['is not an archive', { spoil: () => Buffer.from('hello') }, /not a complete zip archive/],
  ['has another format', { manifest: (same) => ({ ...same, format: 'other' }) }, /is not that of an export/],
  [
    'has a newer version',
    { manifest: (same) => ({ ...same, format_version: 3 }) },
    /has version 3; this program reads versions 1 and 2/,
  ],
])('refuses a file that %s', async (_case, options, expected) => {
  const { code, output } = await verify({}, options);
  expect(output).toMatch(expected);
  expect(code).toBe(2);
});

test('reports damaged tables as a failure', async () => {
  const spoil = (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    // Within the first table, after its header.
    copy.fill(0x55, 60, 400);
    return copy;
  };
  const { code, output } = await verify({}, { spoil });
  expect(output).toContain('NOT VERIFIED');
  expect(code).toBe(1);
});
