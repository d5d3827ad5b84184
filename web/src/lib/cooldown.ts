import { useEffect, useState } from 'react';
import { readStored, store } from './storage.ts';

/** Seconds between two test runs of the dashboard, and between two uploads. */
export const SUBMIT_COOLDOWN_S = 30;
/** Name of the cooldown between two test runs. */
export const TEST_RUN_COOLDOWN = 'test-run';
/** Seconds between two verification mails. */
export const RESEND_COOLDOWN_S = 60;

/** Returns the whole seconds until `endsAt` (milliseconds since 1970), at most `limit`: a clock set back must not lock users out. */
export function secondsLeft(endsAt: number | null, now: number, limit: number): number {
  if (endsAt === null || !Number.isFinite(endsAt)) return 0;
  return Math.min(limit, Math.max(0, Math.ceil((endsAt - now) / 1000)));
}

function storageKey(name: string): string {
  return `husky.cooldown.${name}`;
}

function readEnd(name: string): number | null {
  const stored = readStored(storageKey(name)) ?? null;
  return stored === null ? null : Number(stored);
}

/** Stores the end. Without storage the cooldown lasts as long as the page. */
function writeEnd(name: string, endsAt: number): void {
  store(storageKey(name), String(endsAt));
}

const MAX_COOLDOWN_S = 3_600;

const endIn = (seconds: number): number => Date.now() + seconds * 1000;

/** Returns the name of a user's cooldown between two verification mails; each user of this browser has one. */
export const resendCooldown = (username: string): string => `verification.${username.toLowerCase()}`;

/** Starts a cooldown for pages that are opened later. */
export function startCooldown(name: string, seconds: number): void {
  writeEnd(name, endIn(seconds));
}

/** Returns a cooldown that survives a reload: the seconds left, and `start`, which accepts the server's Retry-After. */
export function useCooldown(name: string, seconds: number): { left: number; start: (retryAfter?: number) => void } {
  const [endsAt, setEndsAt] = useState(() => readEnd(name));
  const [now, setNow] = useState(() => Date.now());
  const left = secondsLeft(endsAt, now, MAX_COOLDOWN_S);

  useEffect(() => {
    if (left === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [left]);

  const start = (retryAfter = seconds) => {
    const end = endIn(retryAfter);
    writeEnd(name, end);
    setNow(Date.now());
    setEndsAt(end);
  };
  return { left, start };
}
