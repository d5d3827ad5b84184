import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';

const index = z.object({
  version: z.string(),
  rules_version: z.number().int(),
  protocol_version: z.number().int(),
  file: z.string(),
  sha256: z.string(),
  size: z.number().int(),
  requires_python: z.string(),
});

/** The local kit that this site offers. */
export type Kit = z.output<typeof index>;

/** Reads the files that services/kit/build.ts wrote beside the web app, and reads them again when they change. */
export class KitFiles {
  readonly #folder: string | undefined;
  #cached: { kit: Kit; wheel: Buffer; conformance: Buffer; changedMs: number } | undefined;

  /** `webDir`: the built web app; without it there is no kit. */
  constructor(webDir: string | undefined) {
    this.#folder = webDir && join(webDir, 'kit');
  }

  /** Returns the kit, its wheel and the conformance suite. Throws NOT_FOUND when this site has none. */
  current(): { readonly kit: Kit; readonly wheel: Buffer; readonly conformance: Buffer } {
    const folder = this.#folder;
    const file = folder === undefined ? undefined : join(folder, 'index.json');
    if (folder === undefined || file === undefined || !existsSync(file))
      throw new DomainError(
        'NOT_FOUND',
        'no-kit',
        'This site offers no local kit: its operator has not built it (make kit).',
      );
    const { mtimeMs } = statSync(file);
    if (this.#cached?.changedMs !== mtimeMs) {
      const kit = index.parse(JSON.parse(readFileSync(file, 'utf8')));
      const wheel = readFileSync(join(folder, basename(kit.file)));
      this.#cached = { kit, wheel, conformance: readFileSync(join(folder, 'conformance.json')), changedMs: mtimeMs };
    }
    return this.#cached;
  }
}
