import { z } from 'zod';
import { type ArchiveLimits, BadArchive, readPackageArchive } from './package-archive.ts';

/** Name of the archive with which `husky author` shows how a bot was written: authoring.json, and the files of each round with code. */
export const authoringFile = 'authoring.tar.gz';

/** Who sees how a bot was written: its author and admins; everybody the rounds; everybody also their code. */
export const audiences = ['private', 'rounds', 'code'] as const;
export type Audience = (typeof audiences)[number];

const maxRounds = 50;
const maxArchiveBytes = 1 << 20;
const limits: ArchiveLimits = {
  noun: 'archive',
  bytes: 4 << 20,
  entries: 1 + 3 * maxRounds,
  pathBytes: 30,
  levels: 2,
};
const recordFile = 'authoring.json';
const roundFile = /^round-(\d\d)\/(player\.py|requirements\.txt)$/;

// Controls, marks that turn the direction of text, halves of characters.
const unshown = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !unshown.test(text), 'must be one line of text');
const count = z.number().int().min(0).max(1e12);
const tokens = z.strictObject({ input: count, output: count });
const dollars = z.number().min(0).max(1e6).nullable().describe('null: the price is not known');
const points = z.number().min(-1e9).max(1e9);

/** What authoring.json states. The author's statements: only the code of the best round is compared with the bot. */
export const authoringRecord = z
  .strictObject({
    format: z.literal(1),
    kit: line(50).describe('version of the kit'),
    model: line(200),
    model_version: line(200).nullable().describe('as the server names it'),
    prompt: z.strictObject({ name: line(100), version: line(50), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    field: z.array(line(100)).min(1).max(5).describe('opponents of the local sets'),
    hands: count.describe('hands of the set of a round'),
    rounds: z
      .array(
        z.strictObject({
          ok: z.boolean().describe('whether the bot passed the checks and played'),
          verdict: line(500),
          bb_per_100: z
            .strictObject({ mean: points, low: points.nullable(), high: points.nullable() })
            .nullable()
            .describe('big blinds per 100 hands without luck, with the 95 % interval; null: it did not play'),
          tokens,
          cost_usd: dollars,
        }),
      )
      .min(1)
      .max(maxRounds),
    best_round: z.number().int().min(1).max(maxRounds).describe('the round whose bot was uploaded'),
    tokens: tokens.describe('of all rounds'),
    cost_usd: dollars,
  })
  .meta({ id: 'AuthoringRecord' });
export type AuthoringRecord = z.output<typeof authoringRecord>;

/** The code of a round; a file that it does not have is empty. */
export interface RoundFiles {
  readonly round: number;
  readonly playerFile: Buffer;
  readonly requirementsFile: Buffer;
}

export interface AuthoringArchive {
  readonly record: AuthoringRecord;
  /** The rounds with code, in their order. */
  readonly rounds: readonly RoundFiles[];
}

/** Reads an archive of at most 1 MiB, 4 MiB unpacked. Throws BadArchive with a sentence for any other thing. */
export async function readAuthoring(archive: Uint8Array): Promise<AuthoringArchive> {
  if (archive.length > maxArchiveBytes) throw new BadArchive('the archive is larger than 1 MiB');
  const files = new Map<string, Buffer>();
  const parts = (async function* () {
    yield archive;
  })();
  for await (const { path, content } of readPackageArchive(parts, undefined, limits)) {
    const [, round = ''] = roundFile.exec(path) ?? [];
    const known = path === recordFile || (Number(round) >= 1 && Number(round) <= maxRounds);
    if (!known) throw new BadArchive(`the archive holds a file that does not belong there: ${path}`);
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    textOf(path, bytes);
    files.set(path, bytes);
  }
  const record = parseRecord(files.get(recordFile));
  const fileOf = (round: number, name: string) => files.get(`round-${String(round).padStart(2, '0')}/${name}`);
  const rounds = record.rounds.flatMap((_, index): RoundFiles[] => {
    const playerFile = fileOf(index + 1, 'player.py');
    const requirementsFile = fileOf(index + 1, 'requirements.txt') ?? Buffer.alloc(0);
    return playerFile === undefined ? [] : [{ round: index + 1, playerFile, requirementsFile }];
  });
  return { record, rounds };
}

function parseRecord(bytes: Buffer | undefined): AuthoringRecord {
  if (bytes === undefined) throw new BadArchive(`the archive has no ${recordFile}`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw new BadArchive(`${recordFile} is no JSON`);
  }
  const { success, data, error } = authoringRecord.safeParse(value);
  if (success && data.rounds[data.best_round - 1]?.ok) return data;
  const [issue] = error?.issues ?? [];
  const where = issue?.path.join('.') ?? 'best_round';
  throw new BadArchive(`${recordFile}: ${where && `${where}: `}${issue?.message ?? 'must be a round that played'}`);
}

function textOf(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new BadArchive(`${path} is no text in UTF-8`);
  }
}
