-- '' is the board with the newest result. '2025' was the default, which nobody had to choose; a chosen board stays.
ALTER TABLE "settings" ALTER COLUMN "home_board" SET DEFAULT '';
UPDATE "settings" SET "home_board" = '' WHERE "home_board" = '2025';
