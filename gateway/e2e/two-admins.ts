// The two admins of a test file and their concurrent calls.
import { expect, vi } from 'vitest';
import {
  type Answer,
  adminToken,
  type Body,
  expectStatus,
  get,
  post,
  registerVerified,
  remove,
  submitFinal,
  uniqueName,
} from './client.ts';

export interface Person {
  readonly username: string;
  readonly token: string;
}

export type Act = (token: string) => Promise<Answer>;

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pot-odds', 'random-legal'];

export async function newPlayer(bot = 'random-legal'): Promise<Person> {
  const person = await registerVerified(uniqueName('seat'));
  await submitFinal(person.token, bot);
  return person;
}

export const newPlayers = () => Promise.all(bots.map(newPlayer));

async function newAdmin(stem: string, root: string): Promise<Person> {
  const person = await registerVerified(uniqueName(stem));
  expectStatus(await post(`/admin/toggle-admin/${person.username}`, { admin: true }, root), 200);
  await vi.waitFor(async () => expectStatus(await get('/admin/user-count', person.token), 200), 10_000);
  return person;
}

export class TwoAdmins {
  readonly root: string;
  readonly ann: Person;
  readonly bob: Person;
  /** Expected audit actions by subject. */
  readonly #happened = new Map<string, readonly string[]>();

  private constructor(root: string, ann: Person, bob: Person) {
    this.root = root;
    this.ann = ann;
    this.bob = bob;
  }

  static async begin(): Promise<TwoAdmins> {
    const root = await adminToken();
    const [ann, bob] = await Promise.all([newAdmin('ann', root), newAdmin('bob', root)]);
    return new TwoAdmins(root, ann, bob);
  }

  async end(): Promise<void> {
    for (const { username } of [this.ann, this.bob]) {
      expectStatus(await remove(`/admin/user/${username}`, this.root), 200);
    }
  }

  atOnce(first: Act, second: Act = first): Promise<[Answer, Answer]> {
    return Promise.all([first(this.ann.token), second(this.bob.token)]);
  }

  /** Waits until the audit log has exactly these actions on a subject, in any order. */
  async audited(subject: string, actions: readonly string[]): Promise<void> {
    const expected = [...actions].sort();
    this.#happened.set(subject, expected);
    const look = async () => expect(await this.actionsOn(subject)).toEqual(expected);
    await vi.waitFor(look, { timeout: 15_000, interval: 200 });
  }

  /** Checks the actions of all subjects again, at the end of a file, to detect late records. */
  async auditedStill(): Promise<void> {
    for (const [subject, actions] of this.#happened) expect(await this.actionsOn(subject), subject).toEqual(actions);
  }

  async actionsOn(subject: string): Promise<string[]> {
    const { records } = expectStatus(await get(`/admin/audit?subject=${subject}&page_size=200`, this.root), 200);
    return records.map((record: { action: string }) => record.action).sort();
  }

  async scores(tag: string): Promise<Map<string, number>> {
    const { top_entries } = expectStatus(await get(`/leaderboard/top/1000?tag=${tag}`), 200);
    return new Map(top_entries.map((entry: { username: string; score: number }) => [entry.username, entry.score]));
  }
}

/** Expects exactly one success. Returns the body of the success and the detail of the refusal. */
export function oneOf(answers: readonly Answer[], refusal: number): { won: Body; told: string } {
  const bodies = JSON.stringify(answers.map(({ body }) => body));
  expect(answers.map(({ status }) => status).sort(), bodies).toEqual([200, refusal].sort());
  const won = answers.find(({ status }) => status === 200);
  const lost = answers.find(({ status }) => status !== 200);
  return { won: won?.body, told: lost?.body.detail };
}

/** Expects a refusal with one of the statuses and returns its sentence. */
export function expectRefused(answer: Answer, ...statuses: readonly number[]): string {
  expect(statuses, JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body.detail;
}
