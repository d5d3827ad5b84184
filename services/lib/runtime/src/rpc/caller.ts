/** The authenticated origin of a call, from its signed identity. Rules of access: access.ts. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly username: string;
      readonly admin: boolean;
      readonly verified: boolean;
      /** Scopes of the access token that the user's program called with; absent: a session. */
      readonly scopes?: readonly string[];
    }
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'runner'; readonly name: string }
  | {
      readonly kind: 'lease';
      readonly jobId: string;
      readonly attempt: number;
      readonly runner: string;
      /** Hashes of the bots and package archives that the lease may fetch from submission. */
      readonly reads?: readonly string[];
    };

export type UserCaller = Extract<Caller, { kind: 'user' }>;
export type VerifiedCaller = UserCaller & { readonly verified: true };
export type AdminCaller = UserCaller & { readonly admin: true };
export type ServiceCaller = Extract<Caller, { kind: 'service' }>;
export type RunnerCaller = Extract<Caller, { kind: 'runner' }>;
export type LeaseCaller = Extract<Caller, { kind: 'lease' }>;
