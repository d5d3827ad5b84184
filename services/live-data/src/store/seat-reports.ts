import type { SeatReport } from '../generated/client.ts';
import type { Database } from './database.ts';

/** Keeps the last report of a seat in an attempt. */
export async function putSeatReport(db: Database, report: SeatReport): Promise<void> {
  const { jobId, attempt, seat, ...data } = report;
  await db.prisma.seatReport.upsert({
    where: { jobId_attempt_seat: { jobId, attempt, seat } },
    create: report,
    update: data,
  });
}

export function findSeatReport(db: Database, jobId: string, attempt: number, seat: number): Promise<SeatReport | null> {
  return db.prisma.seatReport.findUnique({ where: { jobId_attempt_seat: { jobId, attempt, seat } } });
}
