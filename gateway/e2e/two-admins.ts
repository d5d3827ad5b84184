// Two admins of a test file, who make calls concurrently.
import { expect, vi } from 'vitest';
import * as client from './client.ts';

export interface Person {
  readonly username: string;
  readonly token: string;
}

export type Call = (token: string) => Promise<client.ApiResponse>;

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pot-odds', 'random-legal'];

export async function newPlayer(bot = 'random-legal'): Promise<Person> {
  const person = await client.registerVerified(client.uniqueName('seat'));
  await client.submitFinal(person.token, bot);
  return person;
}

export const newPlayers = () => Promise.all(bots.map(newPlayer));

async function newAdmin(stem: string, root: string): Promise<Person> {
  const person = await client.registerVerified(client.uniqueName(stem));
  client.expectStatus(await client.post(`/admin/toggle-admin/${person.username}`, { admin: true }, root), 200);
  await vi.waitFor(async () => client.expectStatus(await client.get('/admin/user-count', person.token), 200), 10_000);
  return person;
}

export class TwoAdmins {
  readonly root: string;
  readonly ann: Person;
  readonly bob: Person;
  /** Expected audit actions by subject. */
  readonly #expectedActions = new Map<string, readonly string[]>();

  private constructor(root: string, ann: Person, bob: Person) {
    this.root = root;
    this.ann = ann;
    this.bob = bob;
  }

  static async begin(): Promise<TwoAdmins> {
    const root = await client.adminToken();
    const [ann, bob] = await Promise.all([newAdmin('ann', root), newAdmin('bob', root)]);
    return new TwoAdmins(root, ann, bob);
  }

  async end(): Promise<void> {
    for (const { username } of [this.ann, this.bob]) {
      client.expectStatus(await client.remove(`/admin/user/${username}`, this.root), 200);
    }
  }

  /** Makes two calls concurrently, the first one as Ann and the second one as Bob. */
  callBoth(first: Call, second: Call = first): Promise<[client.ApiResponse, client.ApiResponse]> {
    return Promise.all([first(this.ann.token), second(this.bob.token)]);
  }

  /** Waits until the audit log has exactly these actions on a subject, in any order. */
  async expectAudited(subject: string, actions: readonly string[]): Promise<void> {
    const expected = [...actions].sort();
    this.#expectedActions.set(subject, expected);
    const check = async () => expect(await this.actionsOn(subject)).toEqual(expected);
    await vi.waitFor(check, { timeout: 15_000, interval: 200 });
  }

  /** Checks the actions on all subjects again. Called at the end of a test file, to detect late records. */
  async recheckAudit(): Promise<void> {
    for (const [subject, actions] of this.#expectedActions)
      expect(await this.actionsOn(subject), subject).toEqual(actions);
  }

  /** Reads the audited actions on a subject, sorted. */
  async actionsOn(subject: string): Promise<string[]> {
    const { records } = client.expectStatus(
      await client.get(`/admin/audit?subject=${subject}&page_size=200`, this.root),
      200,
    );
    return records.map((record: { action: string }) => record.action).sort();
  }

  /** Reads the scores of a tag by username. */
  async scores(tag: string): Promise<Map<string, number>> {
    const { top_entries } = client.expectStatus(await client.get(`/leaderboard/top/1000?tag=${tag}`), 200);
    return new Map(top_entries.map((entry: { username: string; score: number }) => [entry.username, entry.score]));
  }
}

/** Expects exactly one success. Returns the body of the success and the detail of the refusal. */
export function expectOneAccepted(
  responses: readonly client.ApiResponse[],
  refusal: number,
): { accepted: client.Body; detail: string } {
  const bodies = JSON.stringify(responses.map(({ body }) => body));
  expect(responses.map(({ status }) => status).sort(), bodies).toEqual([200, refusal].sort());
  const accepted = responses.find(({ status }) => status === 200);
  const refused = responses.find(({ status }) => status !== 200);
  return { accepted: accepted?.body, detail: refused?.body.detail };
}

/** Expects a refusal with one of the statuses. Returns its detail. */
export function expectRefused(response: client.ApiResponse, ...statuses: readonly number[]): string {
  expect(statuses, JSON.stringify(response.body)).toContain(response.status);
  return response.body.detail;
}
