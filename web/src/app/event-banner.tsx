import { useAppConfig } from '../lib/app-config.ts';

/** The organisers' notice (maintenance, freeze), where the server carries one. */
export function EventBanner() {
  const { banner } = useAppConfig();
  return banner ? <p className="strip strip-info">{banner}</p> : null;
}
