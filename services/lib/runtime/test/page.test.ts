import { expect, test } from 'vitest';
import { pageOf } from '../src/rpc/page.ts';

test.each([
  [{ pageSize: 0 }, {}, { skip: 0, take: 100 }],
  [{ page: 3, pageSize: 20 }, {}, { skip: 40, take: 20 }],
  [{ page: 0, pageSize: 1000 }, {}, { skip: 0, take: 1000 }],
  [{ page: 1, pageSize: 0 }, { normal: 1000 }, { skip: 0, take: 1000 }],
  [{ page: 1, pageSize: 0 }, { most: 50 }, { skip: 0, take: 50 }],
])('%o with %o is %o', (request, limits, page) => expect(pageOf(request, limits)).toEqual(page));

test.each([
  [{ page: -1, pageSize: 1 }, {}, 1000],
  [{ page: 1_000_001, pageSize: 1 }, {}, 1000],
  [{ page: 1, pageSize: -1 }, {}, 1000],
  [{ page: 1, pageSize: 1001 }, {}, 1000],
  [{ page: 1, pageSize: 201 }, { most: 200 }, 200],
])('%o with %o is refused', (request, limits, most) =>
  expect(() => pageOf(request, limits)).toThrow(
    expect.objectContaining({ reason: 'page-invalid', message: `Pages count from 1 and hold 1 to ${most} entries` }),
  ),
);
