import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Column, Row, Value } from './tables.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type Element = Schema[number];

// Bounds the memory of a file that is read row group by row group, and the time of one write.
const rowGroupRows = 20_000;

const parquetTypes: Readonly<Record<Column['type'], Pick<Element, 'type' | 'converted_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** A Parquet file in memory, compressed with zstd, in row groups of at most 20,000 rows. */
export class ParquetFile {
  readonly #columns: readonly Column[];
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #values: Value[][];
  rows = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
    const schema: Element[] = [
      { name: 'schema', num_children: columns.length },
      ...columns.map(
        ({ name, type, nullable }): Element => ({
          name,
          ...parquetTypes[type],
          repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
        }),
      ),
    ];
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema,
      codec: 'ZSTD',
      compressors: { ZSTD: (input) => zstdCompressSync(input) },
      createdBy: "Husky Hold'em",
    });
  }

  add(row: Row): void {
    for (const [index, { name, nullable }] of this.#columns.entries()) {
      const value = row[name];
      if (value === undefined || (value === null && !nullable)) throw new TypeError(`the row has no ${name}`);
      this.#values[index]?.push(value);
    }
    this.rows += 1;
    if (this.rows % rowGroupRows === 0) this.#flush();
  }

  /** Returns the bytes of the whole file. */
  finish(): Uint8Array {
    if (this.rows % rowGroupRows > 0) this.#flush();
    void this.#file.finish();
    return this.#bytes.getBytes();
  }

  #flush(): void {
    const columnData = this.#columns.map(({ name, type }, index) => {
      const values = this.#values[index] ?? [];
      const data = type === 'int64' ? values.map((value) => (value === null ? null : BigInt(Number(value)))) : values;
      return { name, data };
    });
    void this.#file.write({ columnData, rowGroupSize: rowGroupRows });
    this.#values = this.#columns.map(() => []);
  }
}
