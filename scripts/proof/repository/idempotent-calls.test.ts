// Calls whose protos declare them as free of side effects are made again after a lost connection (grpc-client.ts).
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { services } from '../../../gateway/e2e/rpc-access.ts';

const root = join(import.meta.dirname, '../../..');
const writes =
  /\btransaction\(|\bemit(Audit)?\(|\baudit(Writer)?\(|relay\.kick|\binBackground\(|\b(insert|save|store|delete)[A-Z]\w*\(/;

/** The source of each handler by `service/name`, up to the next declaration. */
function handlers(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of globSync('services/*/src/**/*.ts', { cwd: root })) {
    const service = file.split('/')[1] ?? '';
    const text = readFileSync(join(root, file), 'utf8');
    for (const [source, name] of text.matchAll(/^export (?:async )?function (\w+)\([\s\S]*?^}/gm)) {
      if (/Handlers\['/.test(source)) found.set(`${service}/${name}`, source);
    }
  }
  return found;
}

const sources = handlers();
const declared = services.flatMap((contract) =>
  Object.entries(contract.client.service).map(([name, method]) => ({
    call: `${contract.name}/${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    level: (method as unknown as { options: { idempotency_level: string } }).options.idempotency_level,
  })),
);

test('handlers of calls without side effects contain no write', () => {
  const reads = declared.filter(({ level }) => level === 'NO_SIDE_EFFECTS');
  expect(reads.length).toBeGreaterThan(70);
  const read = reads.filter(({ call }) => sources.has(call));
  // The others have handlers of another form.
  expect(read.length).toBeGreaterThan(60);
  expect(read.filter(({ call }) => writes.test(sources.get(call) ?? '')).map(({ call }) => call)).toEqual([]);
});

test('the handlers that write are found by the same search', () => {
  const others = declared.filter(({ level, call }) => level === 'IDEMPOTENCY_UNKNOWN' && sources.has(call));
  const found = others.filter(({ call }) => writes.test(sources.get(call) ?? ''));
  expect(found.length / others.length).toBeGreaterThan(0.5);
});

test('RPCs whose names say that they read declare whether they may be repeated', () => {
  const reads = declared.filter(({ call }) => /\/(get|list|count|find|search|summarise)[A-Z]/.test(call));
  expect(reads.length).toBeGreaterThan(50);
  expect(reads.filter(({ level }) => level === 'IDEMPOTENCY_UNKNOWN').map(({ call }) => call)).toEqual([]);
});
