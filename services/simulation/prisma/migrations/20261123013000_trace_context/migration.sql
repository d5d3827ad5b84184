-- W3C traceparent of the request that created the job or batch.
ALTER TABLE "jobs" ADD COLUMN "trace_context" TEXT NOT NULL DEFAULT '';
ALTER TABLE "batches" ADD COLUMN "trace_context" TEXT NOT NULL DEFAULT '';
