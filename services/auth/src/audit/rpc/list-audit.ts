import type { ListAuditRequest__Output } from '@husky/contracts/types/auth/v1/ListAuditRequest';
import type { ListAuditResponse } from '@husky/contracts/types/auth/v1/ListAuditResponse';
import { totalOf } from '@husky/runtime/database/row-count';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type { AuditHost } from '../audit.ts';
import { type AuditCursor, type AuditRow, countRecords, findRecords } from '../store/search.ts';

const maxWords = 10;

/** Lists audit records, newest first, by page number or by cursor. Filters that no record can match return an empty page. */
export async function listAudit(host: AuditHost, request: ListAuditRequest__Output): Promise<ListAuditResponse> {
  const { skip: offset, take: pageSize } = pageOf(request);
  const emptyPage = { records: [], total: 0, nextCursor: '' };
  if (request.actorId !== '' && !isUuid(request.actorId)) return emptyPage;
  if (request.action.includes('\0') || request.subjectId.includes('\0')) return emptyPage;
  const words = request.q.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (request.q.trim() !== '' && words.length === 0) return emptyPage;
  const filter = {
    actorId: request.actorId,
    action: request.action,
    subjectId: request.subjectId,
    words: words.slice(0, maxWords),
    from: parseTime(request.from),
    to: parseTime(request.to),
  };
  const after = request.cursor === '' ? undefined : parseCursor(request.cursor);
  const matches = words.length > 0 ? await countRecords(host.pool, filter) : undefined;
  const rows = await findRecords(host.pool, filter, { after, offset, limit: pageSize }, matches);
  const count = async () => matches ?? countRecords(host.pool, filter);
  // With a cursor the number of earlier rows is unknown, so the total must be counted.
  const countAll = () => (after ? count() : totalOf({ skip: offset, onPage: rows.length, pageSize }, count));
  const total = request.withoutTotal ? 0 : await countAll();
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return {
    records: rows.map(present),
    total,
    nextCursor: last ? `${last.occurred_at.toISOString()}|${last.id}` : '',
  };
}

function parseTime(text: string): Date | undefined {
  if (text === '') return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new DomainError('INVALID_ARGUMENT', 'time-invalid', 'A time has the form 2025-07-12T00:00:00Z');
  }
  return time;
}

function parseCursor(cursor: string): AuditCursor {
  const [time = '', id = ''] = cursor.split('|');
  const at = parseTime(time);
  if (!at || !isUuid(id))
    throw new DomainError('INVALID_ARGUMENT', 'cursor-invalid', 'This is not a position in the list');
  return { at, id };
}

function present(row: AuditRow) {
  return {
    id: row.id,
    occurredAt: row.occurred_at.toISOString(),
    action: row.action,
    actorId: row.actor_id ?? '',
    actorKind: row.actor_kind,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    beforeJson: row.before_json,
    afterJson: row.after_json,
    requestId: row.request_id,
    address: row.address,
  };
}
