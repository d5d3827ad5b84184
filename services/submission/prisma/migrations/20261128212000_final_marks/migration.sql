CREATE TABLE "final_marks" (
  "submission_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "bot_hash" TEXT NOT NULL,
  "nonce" TEXT,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3),
  CONSTRAINT "final_marks_pkey" PRIMARY KEY ("submission_id", "since")
);
CREATE INDEX "final_marks_user_id_idx" ON "final_marks"("user_id");

INSERT INTO "final_marks" ("submission_id", "user_id", "bot_hash", "nonce", "since")
SELECT "id", "user_id", "bot_hash", "nonce", "created_at" FROM "submissions" WHERE "final";

-- A trigger, so that replicas of the version before keep the history too. The start of the transaction is the time of both a mark and the end of
-- the one that it replaces.
CREATE FUNCTION "record_final_mark"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."final" THEN
    UPDATE "final_marks" SET "until" = now() WHERE "submission_id" = OLD."id" AND "until" IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."final" THEN
    INSERT INTO "final_marks" ("submission_id", "user_id", "bot_hash", "nonce", "since")
    VALUES (NEW."id", NEW."user_id", NEW."bot_hash", NEW."nonce", now())
    ON CONFLICT ("submission_id", "since") DO UPDATE SET "until" = NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "submissions_record_final_mark" AFTER INSERT OR DELETE OR UPDATE OF "final" ON "submissions"
  FOR EACH ROW EXECUTE FUNCTION "record_final_mark"();
