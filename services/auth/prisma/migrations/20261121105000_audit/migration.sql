CREATE TABLE "audit_records" (
  "id" UUID NOT NULL,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "action" TEXT NOT NULL,
  "actor_id" UUID,
  "actor_kind" TEXT NOT NULL,
  "subject_kind" TEXT NOT NULL,
  "subject_id" TEXT NOT NULL,
  "before_json" TEXT NOT NULL,
  "after_json" TEXT NOT NULL,
  "request_id" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  CONSTRAINT "audit_records_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_records_occurred_at_id_idx" ON "audit_records" ("occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_actor_id_occurred_at_id_idx" ON "audit_records" ("actor_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_action_occurred_at_id_idx" ON "audit_records" ("action", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_subject_id_occurred_at_id_idx" ON "audit_records" ("subject_id", "occurred_at" DESC, "id" DESC);

-- The words of a record, for its search: letters and digits, in lower case.
CREATE FUNCTION "audit_words" (text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT array_to_tsvector(array_remove(string_to_array(regexp_replace(lower($1), '[^a-z0-9]+', ' ', 'g'), ' '), '')) $$;
CREATE INDEX "audit_records_words" ON "audit_records" USING gin (
  "audit_words"("action" || ' ' || "subject_kind" || ' ' || "subject_id" || ' ' || "before_json" || ' ' || "after_json" || ' ' || "request_id" || ' ' || "address")
);

-- Append-only: whoever was given rights on the table by default keeps SELECT and INSERT alone.
DO $$
DECLARE grantee text;
BEGIN
  FOR grantee IN
    SELECT DISTINCT r.rolname FROM pg_class c
    CROSS JOIN LATERAL aclexplode(c.relacl) a JOIN pg_roles r ON r.oid = a.grantee
    WHERE c.oid = 'audit_records'::regclass AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON audit_records FROM %I', grantee);
  END LOOP;
END $$;
