import type { Sql } from '@husky/runtime/database/sql';
import type { AccessClaims } from '../domain/access-tokens.ts';
import type { HashPriority } from '../domain/hash-queue.ts';
import type { User } from '../generated/client.ts';
import type { Db } from '../store/database.ts';
import type { UserRow } from '../store/users.ts';

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly admin: boolean;
  readonly verified: boolean;
}

/** An account whose row in `users` is still to be written; `discard` deletes it when that fails. */
export interface CreatedAccount {
  readonly id: string;
  readonly passwordHash: string | null;
  discard(): Promise<void>;
}

/** A new session's token for the browser. */
export interface SignedIn {
  readonly accessToken: string;
  readonly expiresInS: number;
}

/** A session that begins when the statement `insert` has stored it. */
export interface NewSession extends SignedIn {
  readonly insert: Sql;
}

/** A user who gave the right password. */
export interface Authenticated {
  readonly user: UserRow;
  newSession(address: string): Promise<NewSession>;
}

/** A password with the hash to store. Hashing is slow, so it happens before the transaction. */
export interface PreparedPassword {
  readonly password: string;
  readonly hash: string | null;
}

export interface OpenSession {
  readonly id: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface PublicKeys {
  readonly jwksJson: string;
  /** Whether the identity service is unreachable at the moment. */
  readonly unavailable: boolean;
}

/** Sessions to end: all of a user, only one, or all except one. */
export interface SessionFilter {
  readonly only?: string;
  readonly except?: string;
}

/**
 * The identity backend: credentials, sessions and roles. Two implementations: our own tables (`own/`) and a Keycloak realm
 * (`keycloak/`). Rows of `users` (profiles, names, directory) are ours with both and mirror the backend.
 */
export interface Accounts {
  /** Returns the public keys of access tokens. */
  keys(): Promise<PublicKeys>;
  /** Returns the claims of a token; throws UNAUTHENTICATED when it is expired or not signed by us. Does not check the session. */
  readToken(token: string): Promise<AccessClaims>;
  /** Returns the token's user with their current roles; throws UNAUTHENTICATED when the token or its session has ended. */
  identify(token: string): Promise<UserRow>;

  /** Returns a user with their current roles for an access token; undefined for deleted and disabled users. */
  activeUser(userId: string): Promise<UserRow | undefined>;

  /** Creates an account without its row. Throws ALREADY_EXISTS for a taken name or address. */
  create(account: NewAccount): Promise<CreatedAccount>;
  /** Returns the user with this name and password, otherwise undefined. Takes the same time in both cases. */
  authenticate(username: string, password: string, priority: HashPriority): Promise<Authenticated | undefined>;
  isPassword(user: User, password: string): Promise<boolean>;
  /** Whether the user signs in with a password that a mailed link may replace. */
  hasPassword(user: User): boolean;
  preparePassword(password: string): Promise<PreparedPassword>;
  /** Sets a password and ends all sessions of the user. */
  setPassword(tx: Db, userId: string, prepared: PreparedPassword): Promise<User>;
  /** Returns a session for a user whose password was just set. */
  newSession(user: User, password: string, address: string): Promise<NewSession>;

  /** Returns the user's current state from the backend, for changes of roles and deletions; null when there is none. */
  currentUser(tx: Db, userId: string): Promise<User | null>;
  setAdmin(tx: Db, user: User, admin: boolean): Promise<User>;
  setVerified(tx: Db, user: User, verified: boolean): Promise<User>;
  /** Sets a verified address. Throws ALREADY_EXISTS for a taken one. */
  setEmail(tx: Db, userId: string, email: string): Promise<User>;
  /** Deletes the account for good; its row becomes a tombstone. */
  remove(tx: Db, user: User): Promise<void>;

  /** Returns the user's open sessions, newest first. */
  sessions(userId: string): Promise<OpenSession[]>;
  /** Ends sessions of a user. Returns how many ended. */
  endSessions(tx: Db, userId: string, filter?: SessionFilter): Promise<number>;
}
