import { useEffect, useSyncExternalStore } from 'react';
import { api, isReachable, subscribeConnection } from '../lib/api.ts';
import { useAppConfig } from '../lib/app-config.ts';
import { eventAt } from '../lib/tournament.ts';
import { useNow } from '../lib/visible.ts';

/** Shows the organisers' banner, and a warning while the event is frozen. */
export function EventBanner() {
  const settings = useAppConfig();
  const { frozen } = settings;
  const { banner } = eventAt(useNow(1000), settings);
  return (
    <>
      {banner && <p className="strip strip-info strip-notice">{banner}</p>}
      {frozen && (
        <p className="strip strip-warning">
          The event is frozen by the organisers: no new submissions and no new matches for now.
        </p>
      )}
    </>
  );
}

const PROBE_MS = 5_000;

/** Shows a warning while the server is unreachable. Probes it every 5 s in a visible tab. */
export function ConnectionStrip() {
  const reachable = useSyncExternalStore(subscribeConnection, isReachable);

  useEffect(() => {
    if (reachable) return;
    const probe = () => {
      // Any response, even an error, marks the server as reachable.
      if (!document.hidden) api.get('/healthz', { anonymous: true }).catch(() => undefined);
    };
    const timer = setInterval(probe, PROBE_MS);
    window.addEventListener('online', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', probe);
    };
  }, [reachable]);

  return (
    <div role="status">
      {!reachable && (
        <p className="strip strip-warning">
          The server cannot be reached. What you typed is kept, and this page reconnects automatically.
        </p>
      )}
    </div>
  );
}
