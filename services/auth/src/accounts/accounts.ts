import type { AccessClaims } from '../domain/access-tokens.ts';
import type { Lane } from '../domain/turns.ts';
import type { User } from '../generated/client.ts';
import type { Db } from '../store/database.ts';

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly admin: boolean;
  readonly verified: boolean;
}

/** What makes the row of an account that has been made; `discard` takes it back when the row cannot be written. */
export interface MadeAccount {
  readonly id: string;
  readonly passwordHash: string | null;
  discard(): Promise<void>;
}

/** A token for the browser, of a session that has just begun. */
export interface SignedIn {
  readonly accessToken: string;
  readonly expiresInS: number;
}

/** Somebody who has given a right password; `open` is the session that it gives them. */
export interface Proof {
  readonly user: User;
  open(tx: Db, address: string): Promise<SignedIn>;
}

/** A password made ready to be stored, before the transaction that stores it. */
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
  /** Where accounts are kept cannot be reached at the moment. */
  readonly away: boolean;
}

/**
 * Where accounts are kept: who may sign in, with what, in which sessions and with which roles. Rows of `users`
 * (profiles, names, the directory) are ours in either case and follow what is kept here.
 */
export interface Accounts {
  /** Public keys of the access tokens. */
  keys(): Promise<PublicKeys>;
  /** Whose token it is by its signature and time alone; UNAUTHENTICATED otherwise. */
  claims(token: string): Promise<AccessClaims>;
  /** Who holds the token, with the roles of this moment; UNAUTHENTICATED when it is none or has ended. */
  holder(token: string): Promise<User>;

  /** Makes an account without its row; a taken name or address is ALREADY_EXISTS. */
  make(account: NewAccount): Promise<MadeAccount>;
  /** Whoever has this name and password; undefined: nobody, after the same work. */
  prove(username: string, password: string, lane: Lane): Promise<Proof | undefined>;
  /** Whether it is this user's password. */
  isPassword(user: User, password: string): Promise<boolean>;
  /** Whether the user signs in by a password that a mailed link may replace. */
  hasPassword(user: User): boolean;
  prepare(password: string): Promise<PreparedPassword>;
  /** Sets a password and ends every session. */
  setPassword(tx: Db, userId: string, prepared: PreparedPassword): Promise<User>;
  /** Begins a session for a user whose password has just been set. */
  open(tx: Db, user: User, password: string, address: string): Promise<SignedIn>;

  /** The user as they are now, asked for where it counts: changes of roles and deletions. */
  current(tx: Db, userId: string): Promise<User | null>;
  setAdmin(tx: Db, user: User, admin: boolean): Promise<User>;
  setVerified(tx: Db, user: User, verified: boolean): Promise<User>;
  /** Another address, which its owner has proved; a taken one is ALREADY_EXISTS. */
  setEmail(tx: Db, userId: string, email: string): Promise<User>;
  /** Ends the account for good; the row becomes a tombstone. */
  remove(tx: Db, user: User): Promise<void>;

  /** Newest first, at most 100. */
  sessions(userId: string): Promise<OpenSession[]>;
  /** Ends a user's sessions, or one of them, or all but one; answers how many ended. */
  endSessions(tx: Db, userId: string, which?: { readonly only?: string; readonly except?: string }): Promise<number>;
}
