-- A sweeper that releases the pins of an intent marks it first: a creation that is still under way is then refused.
ALTER TABLE "pin_intents" ADD COLUMN "releasing" BOOLEAN NOT NULL DEFAULT false;

-- Since when resolving packages fails; null: the last try did not fail. The time limit of retries starts here.
ALTER TABLE "jobs" ADD COLUMN "failing_since" TIMESTAMPTZ(3);
ALTER TABLE "batches" ADD COLUMN "failing_since" TIMESTAMPTZ(3);

-- Tombstones of deleted users: a job that is being created is refused.
CREATE TABLE "deleted_users" (
  "user_id" UUID NOT NULL,
  "deleted_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "deleted_users_pkey" PRIMARY KEY ("user_id")
);
