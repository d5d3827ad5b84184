import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import { sql } from '@husky/runtime/database/sql';
import type { Prisma, SeatReport } from '../generated/client.ts';
import type { Database } from './database.ts';

export type StoredReport = Omit<SeatReport, 'details'> & { readonly details: SeatDetails__Output | null };

/** Stores the report of a seat and replaces an earlier one. Returns false if the lease of the attempt is lost. */
export async function putSeatReport(db: Database, report: StoredReport): Promise<boolean> {
  const { jobId, attempt, seat, log, verdict, cpuMs, peakKib, faults, details } = report;
  const { rowCount } = await db.pool.query(
    sql`INSERT INTO seat_reports (job_id, attempt, seat, log, verdict, cpu_ms, peak_kib, faults, details)
      SELECT a.job_id, a.attempt, ${seat}::int, ${Buffer.from(log)}::bytea, ${verdict}, ${cpuMs}::bigint, ${peakKib}::bigint, ${faults}::int,
        ${details === null ? null : JSON.stringify(details)}::jsonb
      FROM matches m JOIN attempts a ON a.job_id = m.job_id AND a.attempt = ${attempt}
      WHERE m.job_id = ${jobId}::uuid AND coalesce(m.accepted_attempt, m.current_attempt) = ${attempt}
      ON CONFLICT (job_id, attempt, seat) DO UPDATE SET log = excluded.log, verdict = excluded.verdict, cpu_ms = excluded.cpu_ms,
        peak_kib = excluded.peak_kib, faults = excluded.faults, details = excluded.details`,
  );
  return rowCount === 1;
}

/** Returns the dealer's details by seat. */
export async function detailsOfSeats(
  db: Database,
  jobId: string,
  attempt: number,
): Promise<ReadonlyMap<number, SeatDetails__Output>> {
  const { rows } = await db.pool.query<{ seat: number; details: SeatDetails__Output | null }>(
    sql`SELECT seat, details FROM seat_reports WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}`,
  );
  return new Map(rows.flatMap(({ seat, details }) => (details === null ? [] : [[seat, details]])));
}

/** Casts the column's value. Safe, because only putSeatReport writes it. */
function asDetails(details: Prisma.JsonValue): SeatDetails__Output {
  return details as unknown as SeatDetails__Output;
}

export async function findSeatReport(
  db: Database,
  jobId: string,
  attempt: number,
  seat: number,
): Promise<StoredReport | null> {
  const report = await db.prisma.seatReport.findUnique({ where: { jobId_attempt_seat: { jobId, attempt, seat } } });
  return report && { ...report, details: report.details === null ? null : asDetails(report.details) };
}
