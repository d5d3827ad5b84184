import { useEffect, useState } from 'react';

/** Returns the current time in milliseconds, updated every `everyMs` in a visible tab. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const update = () => {
      if (!document.hidden) setNow(Date.now());
    };
    const timer = setInterval(update, everyMs);
    document.addEventListener('visibilitychange', update);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [everyMs]);
  return now;
}
