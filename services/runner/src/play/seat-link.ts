import { connect, type Socket } from 'node:net';

/** Longest line a seat may send. */
const maxLine = 4096;
const readBytes = 16 << 10;

export interface LinkListener {
  /** One line without its end. */
  onLine(line: string): void;
  /** The seat sent what is no line, or more than a line may have. */
  onBreach(): void;
  /** The connection is over; not called after `close`. */
  onEnd(): void;
}

/** The dealer's end of one seat's socket. */
export class SeatLink {
  readonly #socket: Socket;
  #listener: LinkListener;
  #rest = '';
  #over = false;

  constructor(path: string, listener: LinkListener) {
    this.#listener = listener;
    this.#socket = connect({
      path,
      // One buffer for ever: no allocation a read.
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBytes),
        callback: (count, buffer) => {
          this.#take((buffer as Buffer).toString('latin1', 0, count));
          return !this.#over;
        },
      },
    });
    this.#socket.on('error', () => this.#end());
    this.#socket.on('close', () => this.#end());
    this.#socket.on('end', () => this.#end());
  }

  /** Bytes written that the seat has not read yet, beyond what the kernel holds. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Sends ASCII text in one write. */
  send(text: string): void {
    if (!this.#over) this.#socket.write(text, 'latin1');
  }

  /** Nothing more will be sent: the seat ends by itself once it has read all. */
  finish(): void {
    if (!this.#over) this.#socket.end();
  }

  close(): void {
    this.#over = true;
    this.#socket.destroy();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#socket.destroy();
    this.#listener.onEnd();
  }

  #take(text: string): void {
    const end = text.length - 1;
    if (this.#rest === '' && text.indexOf('\n') === end) {
      if (end > maxLine) this.#listener.onBreach();
      else this.#listener.onLine(text);
      return;
    }
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (this.#over) return;
      if (line.length > maxLine) {
        this.#listener.onBreach();
        return;
      }
      this.#listener.onLine(line);
    }
    if (this.#rest.length > maxLine && !this.#over) this.#listener.onBreach();
  }
}
