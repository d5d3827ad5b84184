ALTER TABLE "users" ADD COLUMN "email_change_sent_at" TIMESTAMPTZ(3);
ALTER TABLE "mail_tokens" ADD COLUMN "new_email" TEXT;
