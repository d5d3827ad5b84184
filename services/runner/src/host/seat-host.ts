import { closeSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** The host's interpreter and sandbox, and whether it accepts untrusted bots (`strangers`). */
export interface HostHello {
  readonly python: string;
  readonly abi: string;
  readonly sandbox: {
    readonly seccomp: boolean;
    readonly landlock: number;
    readonly own_uid: boolean;
    readonly own_root: boolean;
    readonly pid_namespace: boolean;
    readonly limits: boolean;
    /** What bounds a seat's files: `tmpfs`, `volume`, `none` (no files), or `disk` (files are not bounded). */
    readonly scratch: string;
    /** A sentence for each optional means that this machine does not have. */
    readonly lacking: readonly string[];
    readonly missing: readonly string[];
  };
  readonly strangers: boolean;
}

/** Returns the names of the means in force, with a sentence for each missing or lacking one. */
export function describeSandbox(sandbox: HostHello['sandbox']) {
  const { missing, lacking } = sandbox;
  const inForce = {
    seccomp: sandbox.seccomp,
    landlock: sandbox.landlock > 0,
    own_root: sandbox.own_root,
    pid_namespace: sandbox.pid_namespace,
    scratch: sandbox.scratch === 'tmpfs' || sandbox.scratch === 'volume',
    own_uid: sandbox.own_uid,
    limits: sandbox.limits,
  };
  const means = Object.entries(inForce).flatMap(([name, on]) => (on ? [name] : []));
  return { means, missing: [...missing], lacking: [...lacking] };
}

export interface SeatSpec {
  readonly seat: number;
  readonly player_id: number;
  readonly bot_dir: string;
  readonly packages_dir: string | null;
  readonly memory_mib: number;
  readonly log_bytes: number;
  /** 64 hex digits; null: the randomness is not repeatable. */
  readonly seed: string | null;
}

export interface SeatUsage {
  readonly seat: number;
  readonly cpu_ms: number;
  /** Time for which one of its threads, and its main thread, was ready to run but had no processor. */
  readonly wait_ms: number;
  readonly main_wait_ms: number;
  readonly rss_kib: number;
  readonly peak_kib: number;
  readonly alive: boolean;
}

/** The last figures of a seat with what its bot printed. `left_out`: bytes that are missing in the middle. */
export interface SeatOutput extends SeatUsage {
  readonly log: string;
  readonly left_out?: number;
}

export interface SeatEvent {
  readonly event: 'exit' | 'memory-warning';
  readonly seat: number;
  readonly rss_kib: number;
  readonly reason?: string;
  readonly detail?: string;
  readonly code?: number | null;
}

/** The connection to the host is lost or the host broke its protocol: a platform failure. */
export class HostLost extends Error {
  override readonly name = 'HostLost';
}

/** The host returned an error. */
export class HostRefused extends Error {
  override readonly name = 'HostRefused';
}

const maxLine = 32 << 20;
/** Time limit of a response; the host usually needs milliseconds. */
const responseTimeoutMs = 30_000;

interface Pending {
  readonly resolve: (response: Record<string, unknown>) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The control connection to the seat host in a run directory. */
export class SeatHost {
  readonly runDir: string;
  readonly fileTimes: FileTimes;
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  #parts: string[] = [];
  #size = 0;
  #nextId = 1;
  #lost: HostLost | null = null;
  /** Receives pushed events; set by the match in play. */
  onEvent: (event: SeatEvent) => void = () => undefined;
  onLost: (error: HostLost) => void = () => undefined;

  private constructor(runDir: string, socket: Socket) {
    this.runDir = runDir;
    this.fileTimes = new FileTimes(runDir);
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.#receive(text));
    socket.on('error', (error) => this.#lose(error.message));
    socket.on('close', () => this.#lose('it closed the connection'));
  }

  /** Connects to `<runDir>/host.sock`; throws HostLost when nobody listens there. */
  static connect(runDir: string): Promise<SeatHost> {
    return new Promise((resolve, reject) => {
      const socket = connect(join(runDir, 'host.sock'));
      const failed = (error: Error) => reject(new HostLost(`the seat host cannot be reached: ${error.message}`));
      socket.once('error', failed);
      socket.once('connect', () => {
        socket.off('error', failed);
        resolve(new SeatHost(runDir, socket));
      });
    });
  }

  get lost(): HostLost | null {
    return this.#lost;
  }

  async hello(): Promise<HostHello> {
    return (await this.#request({ op: 'hello' })) as unknown as HostHello;
  }

  /** Opens the seats of a match; resolves with their socket paths by seat. */
  async open(match: string, profile: string, seats: readonly SeatSpec[]): Promise<Map<number, string>> {
    const response = await this.#request({ op: 'open', match, profile, seats });
    const sockets = response.seats as { seat: number; socket: string }[];
    return new Map(sockets.map(({ seat, socket }) => [seat, socket]));
  }

  async usage(): Promise<SeatUsage[]> {
    return (await this.#request({ op: 'usage' })).seats as SeatUsage[];
  }

  async kill(seat: number, reason: string): Promise<void> {
    await this.#request({ op: 'kill', seat, reason });
  }

  /** Stops the seat's process until `resume`: it gets no processor time. */
  async pause(seat: number): Promise<void> {
    await this.#request({ op: 'pause', seat });
  }

  async resume(seat: number): Promise<void> {
    await this.#request({ op: 'resume', seat });
  }

  /** Ends all seats of the match; resolves with their last figures and logs. */
  async close(): Promise<SeatOutput[]> {
    this.fileTimes.end();
    return (await this.#request({ op: 'close' })).seats as SeatOutput[];
  }

  disconnect(): void {
    this.#lose('the dealer closed the connection');
    this.#socket.destroy();
  }

  #request(request: Record<string, unknown>): Promise<Record<string, unknown>> {
    if (this.#lost !== null) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const problem = `it did not answer within ${responseTimeoutMs / 1000} s`;
      const timer = setTimeout(() => this.#fail(problem), responseTimeoutMs);
      this.#pending.set(id, { resolve, reject, timer });
      this.#socket.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  #receive(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#parts.push(text.slice(from, end));
      from = end + 1;
      const line = this.#parts.join('');
      this.#parts = [];
      this.#size = 0;
      this.#handleLine(line);
    }
    if (from < text.length) {
      this.#parts.push(text.slice(from));
      this.#size += text.length - from;
      if (this.#size > maxLine) this.#fail('it sent an endless line');
    }
  }

  #handleLine(line: string): void {
    let message: Record<string, unknown>;
    try {
      message = JSON.parse(line) as Record<string, unknown>;
    } catch {
      this.#fail('it sent a line that is no JSON');
      return;
    }
    if (message.event === 'scratch-used') {
      this.fileTimes.begin();
      return;
    }
    if (typeof message.event === 'string') {
      this.onEvent(message as unknown as SeatEvent);
      return;
    }
    const pending = this.#pending.get(message.id as number);
    if (pending === undefined) return;
    this.#pending.delete(message.id as number);
    clearTimeout(pending.timer);
    if (message.ok === true) pending.resolve(message);
    else pending.reject(new HostRefused(`the seat host refused: ${String(message.error)}`));
  }

  #fail(why: string): void {
    this.#lose(why);
    this.#socket.destroy();
  }

  #lose(why: string): void {
    if (this.#lost !== null) return;
    this.#lost = new HostLost(`the seat host is lost: ${why}`);
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(this.#lost);
    }
    this.#pending.clear();
    this.fileTimes.end();
    this.onLost(this.#lost);
  }
}

const content = Buffer.from('.');

/**
 * Hides from a seat when another one changed a file. Linux gives a changed file whose time was read a precise new time, and from then on gives no file
 * of the machine an earlier one (since 6.13, Documentation/filesystems/multigrain-ts.rst): a new file in one seat's scratch shows when another seat did so.
 * A precise time taken before each question is later than everything that the other seats did in their turns.
 */
class FileTimes {
  readonly #path: string;
  #descriptor = -1;

  constructor(runDir: string) {
    this.#path = join(runDir, 'file-times');
  }

  /** Begins to renew: a seat has changed a file. Idempotent. */
  begin(): void {
    if (this.#descriptor < 0) this.#descriptor = openSync(this.#path, 'w');
  }

  /** Takes a precise time, if renewing has begun. */
  renew(): void {
    if (this.#descriptor < 0) return;
    // The second change comes after a look at the time and within the same tick, so it gets a precise one.
    writeSync(this.#descriptor, content, 0, 1, 0);
    fstatSync(this.#descriptor);
    writeSync(this.#descriptor, content, 0, 1, 0);
  }

  /** Stops renewing, after a match. Idempotent. */
  end(): void {
    if (this.#descriptor < 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
    rmSync(this.#path, { force: true });
  }
}
