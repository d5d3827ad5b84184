/** Stores objects by key. Keys consist of letters, digits, `-` and `/`. Every method throws if the store cannot be reached. */
export interface Objects {
  /** Stores an object durably; replaces one with the same key. */
  put(key: string, object: Uint8Array): Promise<void>;
  /** Returns an object; null if there is none. `expectedBytes`: its size, for background work, which may wait longer for a larger one. */
  get(key: string, expectedBytes?: number): Promise<Buffer | null>;
  /** Deletes an object. Idempotent. */
  delete(key: string): Promise<void>;
}
