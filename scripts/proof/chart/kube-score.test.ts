import { expect, test } from 'vitest';
import { exceptions, findUnexpected, findUnused, parseCriticals } from './kube-score.ts';

type Comment = { path: string; summary: string };

const scored = (kind: string, name: string, id: string, comments: Comment[] | null, more: object = {}) => ({
  type_meta: { kind },
  object_meta: { name },
  checks: [
    { check: { id }, grade: 1, skipped: false, comments, ...more },
    { check: { id: 'container-image-tag' }, grade: 10, skipped: false, comments: null },
  ],
});

const criticals = (...objects: object[]) => parseCriticals(JSON.stringify(objects), 'husky');
const noCpuLimit = { path: 'auth', summary: 'CPU limit is not set' };

test('accepts the findings that an exception names for its objects, and no others', () => {
  expect(findUnexpected(criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit])))).toEqual(
    [],
  );
  const noMemoryLimit = { path: 'auth', summary: 'Memory limit is not set' };
  expect(
    findUnexpected(criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit, noMemoryLimit]))),
  ).toEqual(['Deployment auth auth: Memory limit is not set (container-resources)']);

  const low = [{ path: 'main', summary: 'The container is running with a low user ID' }];
  const check = 'container-security-context-user-group-id';
  const found = criticals(
    scored('CronJob', 'husky-backup', check, low),
    scored('StatefulSet', 'husky-nats', check, low),
  );
  expect(findUnexpected(found)).toEqual([`StatefulSet nats main: ${low[0]?.summary} (${check})`]);
});

test('requires a reason for a critical without a comment, but not for a skipped check or a lesser grade', () => {
  const policy = (more: object) => scored('NetworkPolicy', 'husky-test', 'networkpolicy-targets-pod', null, more);
  expect(findUnexpected(criticals(policy({})))).toEqual(['NetworkPolicy test :  (networkpolicy-targets-pod)']);
  expect(criticals(policy({ skipped: true }), policy({ grade: 5 }))).toEqual([]);
});

test('reports an exception that covers no critical', () => {
  const found = criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit]));
  expect(findUnused(found)).toHaveLength(exceptions.length - 1);
  expect(findUnused(found, exceptions.slice(0, 1))).toEqual([]);
});

test('throws if no object was scored', () => {
  for (const nothing of ['null', '[]']) expect(() => parseCriticals(nothing, 'husky')).toThrow('has scored no object');
});

test('every exception has a sentence as its reason', () => {
  for (const { reason } of exceptions) expect(reason).toMatch(/\w+ .*\.$/);
});
