import type pg from 'pg';

/** Receives a base backup: one tar archive per tablespace, then the manifest. `onData` is awaited before more is read. */
export interface BaseBackupSink {
  /** Called at the start of each archive. The path of the main data folder is ''. */
  onArchive(name: string, tablespacePath: string): void;
  onManifest(): void;
  onData(chunk: Buffer): Promise<void>;
}

type Connection = { query(text: string): void; stream: { pause(): void; resume(): void } };

const manifest = "MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256'";

const ignore = () => undefined;

/**
 * A pg query that runs BASE_BACKUP of PostgreSQL's replication protocol (version 15 or later:
 * https://www.postgresql.org/docs/current/protocol-replication.html) on a connection in replication mode. The archive includes the
 * write-ahead log that it needs. `done` rejects with the error of the server or of the sink.
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
      // Copied, because the driver reuses the buffer.
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

  // The server first sends rows with the start position and the tablespaces; the manifest also contains the position.
  readonly handleRowDescription = ignore;
  readonly handleDataRow = ignore;
  readonly handleCommandComplete = ignore;
  readonly handleCopyInResponse = ignore;
  readonly handleEmptyQuery = ignore;
  readonly handlePortalSuspended = ignore;
}
