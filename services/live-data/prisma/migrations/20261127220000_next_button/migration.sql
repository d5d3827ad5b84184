-- The seat that gets the button in the next hand, from rules version 2 on.
ALTER TABLE "attempts" ADD COLUMN "next_button" INTEGER;
