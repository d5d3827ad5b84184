import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { dealKey, type PublicFacts } from '@husky/match/commitment';
import { isKnownVersion, RULES_VERSION } from '@husky/match/rules-version';
import { parseStacks } from '@husky/match/stacks';
import { KitError } from '../wire.ts';
import type { PlaySettings } from './request.ts';

/** The facts of a match file that are needed to play its match again. */
export interface LikeMatch {
  readonly path: string;
  readonly manifest: Manifest;
  readonly facts: PublicFacts;
  readonly settings: PlaySettings;
  readonly names: readonly string[];
}

/** A match file's manifest. Named are the keys that are needed to play it again; the others are kept. */
interface Manifest {
  readonly job_id: string;
  readonly attempt: number;
  readonly seed: string | null;
  readonly players: readonly { readonly username: string }[];
  readonly commitment_input: string | null;
  readonly [key: string]: unknown;
}

/** Reads the manifest of a match file (JSON lines). Throws KitError for a file that cannot be played again. */
export async function readLike(path: string): Promise<LikeMatch> {
  const refuse = (why: string) => new KitError(2, `${path} cannot be played again: ${why}`);
  const manifest = parseManifest(await firstLine(path));
  if (manifest === null) throw refuse('its first line is no manifest of a match');
  const { seed, commitment_input: input } = manifest;
  if (typeof seed !== 'string') throw refuse('its seed was not published when it was downloaded');
  if (!/^[0-9a-f]{64}$/.test(seed)) throw refuse('its seed is not 64 hex digits');
  if (typeof input !== 'string') throw refuse('it has no commitment, which says how it was played');
  try {
    const facts = JSON.parse(input) as PublicFacts;
    if (!isKnownVersion(facts.rulesVersion))
      throw refuse(
        `it was played by rules version ${facts.rulesVersion}, this kit knows those up to ${RULES_VERSION}: install the kit of its site`,
      );
    const { bigBlind, multiplier, interval } = facts.blinds;
    const settings: PlaySettings = {
      hands: facts.hands,
      seed: Buffer.from(dealKey(Buffer.from(seed, 'hex'), facts)).toString('hex'),
      starting_stack: facts.startingStack,
      stacks: parseStacks(facts.stacks ?? 'carry'),
      blinds: { big_blind: bigBlind, multiplier, interval },
      profile: facts.profile === 'classic' ? 'classic' : 'documented',
      rules_version: facts.rulesVersion,
    };
    const names = manifest.players.map(({ username }) => username);
    if (names.length !== facts.roster.length) throw refuse('its players are not those of its commitment');
    return { path, manifest, facts, settings, names };
  } catch (error) {
    if (error instanceof KitError) throw error;
    throw refuse('the facts of its commitment cannot be read');
  }
}

async function firstLine(path: string): Promise<string> {
  const lines = createInterface({ input: createReadStream(path) });
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

function parseManifest(line: string): Manifest | null {
  try {
    const value = JSON.parse(line) as Manifest & { readonly type?: unknown };
    if (value?.type !== 'manifest' || typeof value.job_id !== 'string' || !Array.isArray(value.players)) return null;
    const { type: _, ...manifest } = value;
    return manifest as Manifest;
  } catch {
    return null;
  }
}
