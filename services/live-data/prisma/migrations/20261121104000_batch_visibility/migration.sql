CREATE TABLE "batch_visibility" (
    "batch_id" UUID NOT NULL,
    "is_public" BOOLEAN NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_visibility_pkey" PRIMARY KEY ("batch_id")
);
