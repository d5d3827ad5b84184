import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, type LiveDataUnderTest, startLiveData } from './service.ts';

let live: LiveDataUnderTest;
beforeAll(async () => {
  live = await startLiveData();
  // A trigger copies the events before the relay deletes them.
  await live.database.admin.query(`
    CREATE TABLE live_data.copied_events (id bigserial PRIMARY KEY, payload bytea);
    CREATE FUNCTION live_data.copy_event() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS
      'BEGIN INSERT INTO live_data.copied_events (payload) VALUES (NEW.payload); RETURN NEW; END';
    CREATE TRIGGER copy_event AFTER INSERT ON live_data.outbox FOR EACH ROW EXECUTE FUNCTION live_data.copy_event();`);
});
afterAll(() => live.stop());

test('publishes audit events for changes of visibility, but not for calls without a change', async () => {
  const asAdmin = { caller: admin };
  const batchId = randomUUID();
  const { match } = await live.finishMatch({ batchId, numRounds: 8 });
  await live.gateway.toggleVisibility({ jobId: match.jobId }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId, public: true }, asAdmin);
  await live.gateway.setBatchVisibility({ batchId }, asAdmin);
  const { rows } = await live.database.admin.query<{ payload: Buffer }>(
    'SELECT payload FROM copied_events ORDER BY id',
  );
  const records = rows.map((row) => audited('live_data').decode(row.payload));
  expect(records.map((one) => [one.action, one.subjectId, one.beforeJson, one.afterJson])).toEqual([
    ['job.visibility_changed', match.jobId, '{"public":false}', '{"public":true}'],
    ['batch.visibility_changed', batchId, '{"public":false}', '{"public":true,"jobs":0}'],
    ['batch.visibility_changed', batchId, '{"public":true}', '{"public":false,"jobs":1}'],
  ]);
  expect(new Set(records.map((one) => one.actorId))).toEqual(new Set([admin.kind === 'user' ? admin.id : '']));
});
