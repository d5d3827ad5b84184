import type { ListAuditRequest__Output } from '@husky/contracts/types/auth/v1/ListAuditRequest';
import type { ListAuditResponse } from '@husky/contracts/types/auth/v1/ListAuditResponse';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { AuthContext } from '../context.ts';
import { type AuditPosition, type AuditRow, countRecords, findRecords } from '../store/audit-search.ts';

const defaultPageSize = 50;
const maxPageSize = 1000;
const maxWords = 10;

/** Admins, newest first. */
export async function listAudit(context: AuthContext, request: ListAuditRequest__Output): Promise<ListAuditResponse> {
  const page = request.page === 0 ? 1 : request.page;
  const pageSize = request.pageSize === 0 ? defaultPageSize : request.pageSize;
  if (page < 1 || pageSize < 1 || pageSize > maxPageSize) {
    const message = `Pages count from 1 and hold 1 to ${maxPageSize} records`;
    throw new DomainError('INVALID_ARGUMENT', 'page-invalid', message);
  }
  const nothing = { records: [], total: 0, nextCursor: '' };
  if (request.actorId !== '' && !isUuid(request.actorId)) return nothing;
  if (request.action.includes('\0') || request.subjectId.includes('\0')) return nothing;
  const words = request.q.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (request.q.trim() !== '' && words.length === 0) return nothing;
  const filter = {
    actorId: request.actorId,
    action: request.action,
    subjectId: request.subjectId,
    words: words.slice(0, maxWords),
    from: timeOf(request.from),
    to: timeOf(request.to),
  };
  const after = request.cursor === '' ? undefined : positionOf(request.cursor);
  const [rows, total] = await Promise.all([
    findRecords(context.pool, filter, { after, offset: (page - 1) * pageSize, limit: pageSize }),
    request.withoutTotal ? 0 : countRecords(context.pool, filter),
  ]);
  const last = rows.length === pageSize ? rows.at(-1) : undefined;
  return {
    records: rows.map(present),
    total,
    nextCursor: last ? `${last.occurred_at.toISOString()}|${last.id}` : '',
  };
}

function timeOf(text: string): Date | undefined {
  if (text === '') return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new DomainError('INVALID_ARGUMENT', 'time-invalid', 'A time is written as in 2025-07-12T00:00:00Z');
  }
  return time;
}

function positionOf(cursor: string): AuditPosition {
  const [time = '', id = ''] = cursor.split('|');
  const at = timeOf(time);
  if (!at || !isUuid(id)) throw new DomainError('INVALID_ARGUMENT', 'cursor-invalid', 'This is no place in the list');
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
