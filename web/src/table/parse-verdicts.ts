import type { Verdict } from './game.ts';
import { asId, asRecord, field, type JsonRecord } from './json-reading.ts';
import { cleanName } from './names.ts';
import type { SeatLookup } from './seat-lookup.ts';

const MAX_VERDICTS = 500;

/** Parses the verdict inside an action entry: `verdict` as text or as {code, text}, and `reason` in addition to it or instead. */
export function inlineVerdict(record: JsonRecord, round: number, action: number, seat: number): Verdict | null {
  const raw = field(record, 'verdict');
  const reason = field(record, 'reason');
  const nested = asRecord(raw);
  if (nested !== null) {
    const code = cleanName(field(nested, 'code'), 'fault');
    return { round, action, seat, code, text: cleanName(field(nested, 'text') ?? reason, code) };
  }
  if (typeof raw === 'string' && raw !== '')
    return { round, action, seat, code: cleanName(raw, 'fault'), text: cleanName(reason, raw) };
  if (typeof reason === 'string' && reason !== '')
    return { round, action, seat, code: 'note', text: cleanName(reason, 'note') };
  return null;
}

/** Parses the optional top-level list `verdicts` of {round, index, seat, code, text}; `seat` is a pid. */
export function parseVerdicts(raw: unknown, lookup: SeatLookup): Verdict[] {
  if (!Array.isArray(raw)) return [];
  return raw.slice(0, MAX_VERDICTS).flatMap((entry) => {
    const record = asRecord(entry);
    if (record === null) return [];
    const code = cleanName(field(record, 'code'), 'fault');
    const pid = asId(field(record, 'seat'));
    return [
      {
        round: asId(field(record, 'round')) ?? 0,
        action: asId(field(record, 'index')),
        seat: pid === null ? null : lookup.ofPid(pid),
        code,
        text: cleanName(field(record, 'text'), code),
      },
    ];
  });
}
