import type { AuditRecord } from '../../lib/types.ts';

type Names = AuditRecord['names'];

/** A value in words: users by their names, lists by their items, what lies deeper as JSON. */
export function wordsOf(value: unknown, names: Names): string {
  if (typeof value === 'string') return names[value] ?? (value === '' ? '""' : value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((item) => wordsOf(item, names)).join(', ');
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Facts = Record<string, unknown>;
const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a record says of before or after: a line each, or a dash for nothing. What differs from the `other` side stands out. */
export function AuditFacts({ facts, other, names }: { facts: unknown; other: unknown; names: Names }) {
  if (facts === null || facts === undefined) return '—';
  if (!isFacts(facts)) return <span className="breakable">{wordsOf(facts, names)}</span>;
  const differs = (key: string) => isFacts(other) && JSON.stringify(other[key]) !== JSON.stringify(facts[key]);
  return (
    <dl className="audit-facts">
      {Object.entries(facts).map(([key, value]) => (
        <div key={key}>
          <dt>{names[key] ?? key}</dt>
          <dd className={differs(key) ? 'audit-changed' : undefined}>{wordsOf(value, names)}</dd>
        </div>
      ))}
    </dl>
  );
}
