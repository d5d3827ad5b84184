import { useAppConfig } from '../lib/app-config.ts';

/** The organisers' notice, and whether the event is frozen, where the server says so. */
export function EventBanner() {
  const { banner, frozen } = useAppConfig();
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
