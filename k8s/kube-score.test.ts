import { expect, test } from 'vitest';
import { criticalsOf, exceptions, withoutReason, withoutUse } from './kube-score.ts';

type Comment = { path: string; summary: string };

const scored = (kind: string, name: string, id: string, comments: Comment[] | null, more: object = {}) => ({
  type_meta: { kind },
  object_meta: { name },
  checks: [
    { check: { id }, grade: 1, skipped: false, comments, ...more },
    { check: { id: 'container-image-tag' }, grade: 10, skipped: false, comments: null },
  ],
});

const criticals = (...objects: object[]) => criticalsOf(JSON.stringify(objects), 'husky');
const noCpuLimit = { path: 'auth', summary: 'CPU limit is not set' };

test('an exception covers the named finding of its objects, and nothing else', () => {
  expect(withoutReason(criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit])))).toEqual([]);
  const noMemoryLimit = { path: 'auth', summary: 'Memory limit is not set' };
  expect(
    withoutReason(criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit, noMemoryLimit]))),
  ).toEqual(['Deployment auth auth: Memory limit is not set (container-resources)']);

  const low = [{ path: 'main', summary: 'The container is running with a low user ID' }];
  const check = 'container-security-context-user-group-id';
  const found = criticals(
    scored('CronJob', 'husky-backup', check, low),
    scored('StatefulSet', 'husky-nats', check, low),
  );
  expect(withoutReason(found)).toEqual([`StatefulSet nats main: ${low[0]?.summary} (${check})`]);
});

test('a critical without a comment needs a reason, a skipped or lesser one does not', () => {
  const policy = (more: object) => scored('NetworkPolicy', 'husky-test', 'networkpolicy-targets-pod', null, more);
  expect(withoutReason(criticals(policy({})))).toEqual(['NetworkPolicy test :  (networkpolicy-targets-pod)']);
  expect(criticals(policy({ skipped: true }), policy({ grade: 5 }))).toEqual([]);
});

test('an exception that nothing needs is reported', () => {
  const found = criticals(scored('Deployment', 'husky-auth', 'container-resources', [noCpuLimit]));
  expect(withoutUse(found)).toHaveLength(exceptions.length - 1);
  expect(withoutUse(found, exceptions.slice(0, 1))).toEqual([]);
});

test('a score of nothing is an error', () => {
  for (const nothing of ['null', '[]']) expect(() => criticalsOf(nothing, 'husky')).toThrow('has scored no object');
});

test('every exception has a reason', () => {
  for (const { reason } of exceptions) expect(reason).toMatch(/\w+ .*\.$/);
});
