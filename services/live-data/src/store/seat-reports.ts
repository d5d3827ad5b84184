import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import { Prisma, type SeatReport } from '../generated/client.ts';
import type { Database } from './database.ts';

export type StoredReport = Omit<SeatReport, 'details'> & { readonly details: SeatDetails__Output | null };

/** Stores the report of a seat and replaces an earlier one. */
export async function putSeatReport(db: Database, report: StoredReport): Promise<void> {
  const { jobId, attempt, seat, details, ...rest } = report;
  const data = { ...rest, details: details === null ? Prisma.DbNull : (details as unknown as Prisma.InputJsonObject) };
  await db.prisma.seatReport.upsert({
    where: { jobId_attempt_seat: { jobId, attempt, seat } },
    create: { jobId, attempt, seat, ...data },
    update: data,
  });
}

/** Returns the dealer's details by seat. */
export async function detailsOfSeats(
  db: Database,
  jobId: string,
  attempt: number,
): Promise<ReadonlyMap<number, SeatDetails__Output>> {
  const reports = await db.prisma.seatReport.findMany({
    where: { jobId, attempt },
    select: { seat: true, details: true },
  });
  return new Map(reports.flatMap(({ seat, details }) => (details === null ? [] : [[seat, asDetails(details)]])));
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
