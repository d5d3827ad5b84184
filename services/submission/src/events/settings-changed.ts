import { settingsChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type pg from 'pg';
import { saveEventNews } from '../store/freeze.ts';

/** The organisers' freeze and quotas, which simulation keeps. */
export function consumeSettingsChanged(messaging: Messaging, pool: pg.Pool): Consumer {
  return messaging.consume(settingsChanged, 'submission_settings_changed', (event) => saveEventNews(pool, event));
}
