import type pg from 'pg';

/** Receives a base backup: one tar per tablespace, then the manifest. Each call of `onData` is awaited before more is read. */
export interface BaseBackupSink {
  /** A new archive begins; '' is the path of the main data folder. */
  onArchive(name: string, tablespacePath: string): void;
  onManifest(): void;
  onData(chunk: Buffer): Promise<void>;
}

type Connection = { query(text: string): void; stream: { pause(): void; resume(): void } };

const manifest = "MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256'";

const ignore = () => undefined;

/**
 * A query of pg that runs BASE_BACKUP of PostgreSQL's replication protocol (version 15 or later:
 * https://www.postgresql.org/docs/current/protocol-replication.html) on a connection in replication mode. The write-ahead log that the copy
 * needs is part of the archive. `done` rejects with the server's error or the sink's.
 */
export class BaseBackupQuery {
  readonly done: Promise<void>;
  readonly #sink: BaseBackupSink;
  readonly #settle: { resolve(): void; reject(error: unknown): void };
  #failure: unknown;
  #written: Promise<void> = Promise.resolve();
  #connection: Connection | undefined;

  constructor(sink: BaseBackupSink) {
    this.#sink = sink;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#settle = { resolve, reject };
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as unknown as Connection;
    this.#connection.query(`BASE_BACKUP (LABEL 'husky', CHECKPOINT 'fast', WAL true, ${manifest})`);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'd') {
      // The driver reuses the memory of its messages.
      const bytes = Buffer.from(chunk.subarray(1));
      this.#connection?.stream.pause();
      this.#written = this.#written
        .then(() => (this.#failure === undefined ? this.#sink.onData(bytes) : undefined))
        .catch((error: unknown) => {
          this.#failure ??= error;
        })
        .finally(() => this.#connection?.stream.resume());
      return;
    }
    if (kind !== 'n' && kind !== 'm') return;
    const [name = '', path = ''] = chunk.subarray(1).toString().split('\0');
    this.#written = this.#written.then(() =>
      kind === 'n' ? this.#sink.onArchive(name, path) : this.#sink.onManifest(),
    );
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#written.then(
      () => (this.#failure === undefined ? this.#settle.resolve() : this.#settle.reject(this.#failure)),
      (error: unknown) => this.#settle.reject(error),
    );
  }

  // The position of the start and the tablespaces come as rows first; the manifest has the position.
  readonly handleRowDescription = ignore;
  readonly handleDataRow = ignore;
  readonly handleCommandComplete = ignore;
  readonly handleCopyInResponse = ignore;
  readonly handleEmptyQuery = ignore;
  readonly handlePortalSuspended = ignore;
}
