import { expect, test } from 'vitest';
import * as client from './client.ts';

const { player } = client.botFiles('calling-station');
const start = (token: string, query: string) => {
  const form = client.uploadForm(client.testRunFields, player);
  return client.call('POST', `/sim/async_run${query}`, { form, token });
};

test('plays test runs against a style and a mix, runs them again alike, and leaves the default as it is', async () => {
  const { token, username } = await client.registerVerified();
  for (const [query, against, hands, seats] of [
    ['', 'house', 10, 2],
    ['?against=pressure&num_rounds=20', 'pressure', 20, 2],
    ['?against=mix&num_rounds=12', 'mix', 12, 6],
  ] as const) {
    const { job_id } = client.expectStatus(await start(token, query), 200);
    const status = await client.ended(job_id, token);
    expect(status, query).toMatchObject({ job_status: 'Finished', against, num_rounds: hands, kind: 'test' });
    expect(new Set(status.players).size, query).toBe(seats);
    expect(status.players.slice(0, 2)).toEqual([username, 'house']);
    expect(Object.keys(status.result_data).sort()).toEqual([...status.players].sort());
    if (against === 'house') continue;
    const again = client.expectStatus(await client.post('/sim/run_again', { job_id }, token), 200);
    expect(await client.ended(again.job_id, token)).toMatchObject({ against, num_rounds: hands });
  }
  for (const query of ['?against=nobody', '?num_rounds=9', '?num_rounds=201', '?num_rounds=ten']) {
    const { status, body } = await start(token, query);
    expect([status, body.detail], query).toEqual([422, expect.stringMatching(/^(against|num_rounds): \w/)]);
  }
});
