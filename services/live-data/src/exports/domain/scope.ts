import { createHash } from 'node:crypto';
import type { ExportScope__Output } from '@husky/contracts/types/live/v1/ExportScope';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { batchNotFound } from '../../domain/refusals.ts';

/** The finished matches of an export: those of a batch, or the public ones, or the ladder's, that began on these days (UTC, both included). */
export type Scope = { readonly batchId: string } | Period;

export interface Period {
  readonly batchId: null;
  readonly from: Date;
  readonly to: Date;
  readonly ladder?: true;
}

/**
 * Version of the content: it changes when an export of the same matches would differ, also in its descriptions (metadata.ts), which
 * `make verify` makes again.
 */
export const EXPORT_VERSION = 2;

/** Maximum number of matches of one export. */
export const MAX_MATCHES = 10_000;

export interface Selected {
  readonly jobId: string;
  readonly attempt: number;
  readonly batchId: string | null;
  readonly playerIds: readonly string[];
  readonly hands: number;
  readonly isPublic: boolean;
}

/** Names and metadata from the caller of StartExport, since other services own them. */
export interface ExportInput {
  readonly names: Readonly<Record<string, string>>;
  /** By the batch's id. */
  readonly batches: Readonly<Record<string, { readonly number: number; readonly metadata: string }>>;
  readonly site: string;
  /** SPDX id of the license of the data. Exports that were started by version 1 have none. */
  readonly license?: string;
  /** The matches are the ladder's. */
  readonly ladder?: true;
}

const parseDay = (text: string): Date | null => {
  const date = new Date(`${text}T00:00:00Z`);
  // A day such as 2026-02-30 becomes a day in March.
  return !Number.isNaN(date.getTime()) && dayOf(date) === text ? date : null;
};

/** Reads a scope. Throws INVALID_ARGUMENT. */
export function parseScope({ batchId, from, to, ladder }: ExportScope__Output): Scope {
  if (batchId !== '') {
    if (!isLowerCaseUuid(batchId)) throw batchNotFound();
    return { batchId };
  }
  const first = parseDay(from);
  const last = parseDay(to);
  if (first === null || last === null) {
    throw new DomainError('INVALID_ARGUMENT', 'bad-period', 'A period is two days such as 2026-11-01 and 2026-11-30.');
  }
  if (first > last) throw new DomainError('INVALID_ARGUMENT', 'bad-period', 'The period ends before it begins.');
  return { batchId: null, from: first, to: last, ...(ladder && { ladder }) };
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export const periodOf = ({ from, to, ladder }: Period) => ({
  from: dayOf(from),
  to: dayOf(to),
  ...(ladder && { ladder }),
});

/** Returns a hash of an export's inputs, so that unchanged data is not exported twice. */
export function signatureOf(
  scope: Scope,
  matches: readonly Selected[],
  unfinished: number,
  { names, batches, license }: Pick<ExportInput, 'names' | 'batches' | 'license'>,
): string {
  const sorted = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const content = [
    EXPORT_VERSION,
    scope,
    // The seeds of a deal set are published when its last match is finished.
    unfinished,
    matches.map(({ jobId, attempt }) => [jobId, attempt]),
    sorted(names),
    sorted(batches),
    license,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
