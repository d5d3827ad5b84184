/** A span as an OTLP receiver receives it. */
export interface ReceivedSpan {
  readonly service: string;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Ids of linked traces. */
  readonly links: readonly string[];
}

/** Values of a protobuf message by field number: a bigint for numeric fields, otherwise the bytes. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/**
 * Decodes an ExportTraceServiceRequest. Field numbers:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
 */
export function decodeTraces(request: Buffer): ReceivedSpan[] {
  return readMessages(request, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(readMessages(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1);
    return readMessages(resourceSpans, 2).flatMap((scope) =>
      readMessages(scope, 2).map((span) => decodeSpan(resource, span)),
    );
  });
}

function decodeSpan(resource: ReceivedSpan['resource'], bytes: Buffer): ReceivedSpan {
  const fields = decode(bytes);
  return {
    service: String(resource['service.name'] ?? ''),
    resource,
    traceId: hex(fields, 1),
    spanId: hex(fields, 2),
    parentId: hex(fields, 4),
    name: readBytes(fields, 5).toString(),
    attributes: readAttributes(bytes, 9),
    links: readMessages(bytes, 13).map((link) => hex(decode(link), 1)),
  };
}

function readAttributes(bytes: Buffer, field: number): Record<string, string | number> {
  return Object.fromEntries(
    readMessages(bytes, field).map((pair) => {
      const [value = Buffer.alloc(0)] = readMessages(pair, 2);
      return [readBytes(decode(pair), 1).toString(), attributeValue(decode(value))];
    }),
  );
}

function attributeValue(fields: Fields): string | number {
  const double = fields.get(4)?.[0];
  if (typeof double === 'bigint') {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(double);
    return bytes.readDoubleLE();
  }
  const int = fields.get(3)?.[0];
  return typeof int === 'bigint' ? Number(BigInt.asIntN(64, int)) : readBytes(fields, 1).toString();
}

function readBytes(fields: Fields, field: number): Buffer {
  const value = fields.get(field)?.[0];
  return value instanceof Buffer ? value : Buffer.alloc(0);
}

const hex = (fields: Fields, field: number) => readBytes(fields, field).toString('hex');

function readMessages(bytes: Buffer, field: number): Buffer[] {
  return (decode(bytes).get(field) ?? []).filter((value): value is Buffer => value instanceof Buffer);
}

/** Decodes one message. Throws RangeError for bytes that are not protobuf. https://protobuf.dev/programming-guides/encoding/ */
function decode(bytes: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('the message is truncated');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const value = readValue(key & 7, varint, take);
    const field = key >> 3;
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

function readValue(type: number, varint: () => bigint, take: (length: number) => Buffer): bigint | Buffer {
  if (type === wire.varint) return varint();
  if (type === wire.fixed64) return take(8).readBigUInt64LE();
  if (type === wire.bytes) return take(Number(varint()));
  if (type === wire.fixed32) return BigInt(take(4).readUInt32LE());
  throw new RangeError(`unknown wire type ${type}`);
}
