import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SeatHost } from '../src/host/seat-host.ts';

interface Request {
  readonly id: number;
  readonly op: string;
  readonly seat?: number;
  readonly reason?: string;
  readonly match?: string;
  readonly profile?: string;
  readonly seats?: readonly { readonly seat: number }[];
}

/** A seat's side of the protocol: gets each line of the dealer and returns the lines that the seat sends back. */
export type Script = (line: string, seat: ScriptedSeat) => readonly string[];

export class ScriptedSeat {
  readonly lines: string[] = [];
  cpuMs = 0;
  waitMs = 0;
  stopped = false;
  socket: Socket | null = null;

  send(...lines: readonly string[]): void {
    this.socket?.write(lines.map((line) => `${line}\n`).join(''));
  }
}

/** A seat host without processes: seats are scripts, and tests set their processor times. */
export class ScriptedHost {
  readonly runDir = mkdtempSync(join(tmpdir(), 'husky-scripted-'));
  readonly seats: readonly ScriptedSeat[];
  /** Requests received, such as 'open' and 'kill 0 protocol'. Usage requests are only counted. */
  readonly requests: string[] = [];
  usageRequests = 0;
  /** The last request for seats. */
  opened: Omit<Request, 'id'> | null = null;
  readonly #refused = new Set<string>();
  readonly #scripts: readonly Script[];
  readonly #servers: Server[] = [];
  #control: Socket | null = null;
  #dealer: SeatHost | null = null;

  constructor(scripts: readonly Script[]) {
    this.#scripts = scripts;
    this.seats = scripts.map(() => new ScriptedSeat());
  }

  /** Resolves with the dealer's end of the control connection. */
  async connect(): Promise<SeatHost> {
    await this.#listen('host.sock', (socket) => {
      this.#control = socket;
      readLines(socket, (line) => void this.#handle(JSON.parse(line) as Request));
    });
    this.#dealer = await SeatHost.connect(this.runDir);
    return this.#dealer;
  }

  /** Pushes an event of the host. */
  push(event: object): void {
    this.#control?.write(`${JSON.stringify({ rss_kib: 1024, ...event })}\n`);
  }

  /** Refuses every further request of this kind. */
  refuse(op: string): void {
    this.#refused.add(op);
  }

  /** Ends the control connection on the dealer's side. */
  loseDealer(): void {
    this.#dealer?.disconnect();
  }

  async stop(): Promise<void> {
    this.loseDealer();
    for (const { socket } of this.seats) socket?.destroy();
    this.#control?.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((done) => server.close(done))));
    rmSync(this.runDir, { recursive: true });
  }

  async #handle({ id, ...request }: Request): Promise<void> {
    const { op, seat, reason, seats } = request;
    if (this.#refused.has(op)) {
      this.#control?.write(`${JSON.stringify({ id, ok: false, error: 'refused by the test' })}\n`);
      return;
    }
    if (op === 'open') this.opened = request;
    if (op === 'usage') this.usageRequests += 1;
    else this.requests.push([op, seat, reason].filter((part) => part !== undefined).join(' '));
    const target = this.seats[seat ?? -1];
    if (target !== undefined && (op === 'pause' || op === 'resume')) target.stopped = op === 'pause';
    const opened = op === 'open' ? await Promise.all((seats ?? []).map((one) => this.#open(one.seat))) : [];
    const figures = this.seats.map(({ cpuMs, waitMs }, number) => ({
      seat: number,
      cpu_ms: cpuMs,
      wait_ms: waitMs,
      main_wait_ms: waitMs,
      rss_kib: 1000,
      peak_kib: 2000,
      alive: true,
      ...(op === 'close' ? { log: `log of seat ${number}\n` } : {}),
    }));
    this.#control?.write(`${JSON.stringify({ id, ok: true, seats: op === 'open' ? opened : figures })}\n`);
  }

  async #open(number: number): Promise<{ seat: number; socket: string }> {
    const seat = this.seats[number] as ScriptedSeat;
    const script = this.#scripts[number] as Script;
    const socket = await this.#listen(`seat-${number}.sock`, (connection) => {
      seat.socket = connection;
      seat.send(...script('', seat));
      readLines(connection, (line) => {
        seat.lines.push(line);
        seat.send(...script(line, seat));
      });
    });
    return { seat: number, socket };
  }

  async #listen(name: string, onConnection: (socket: Socket) => void): Promise<string> {
    const path = join(this.runDir, name);
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      onConnection(socket);
    });
    this.#servers.push(server);
    await new Promise<void>((done) => server.listen(path, done));
    return path;
  }
}

// The dealer may close a connection while a line is being written.
function readLines(socket: Socket, onLine: (line: string) => void): void {
  const reader = createInterface({ input: socket });
  reader.on('line', onLine);
  reader.on('error', () => socket.destroy());
}

/** Returns the number of the question in a line, 0 for a line without one. */
export function questionIn(line: string): number {
  return line === '' ? 0 : (JSON.parse(line) as [number])[0];
}

/** Returns the script of a seat that loads and replies with `reply` to every question. */
export function replying(reply: (seq: number) => readonly string[]): Script {
  return (line) => {
    if (line === '') return ['{"ready":true,"load_ms":5,"skips":[]}'];
    const seq = questionIn(line);
    return seq === 0 ? [] : reply(seq);
  };
}

/** The script of a seat that calls every bet. */
export const calling = replying((seq) => [`[${seq},3,0]`]);
