/** One server-sent event; `id` is null if the event has none. */
export type ServerEvent = { id: string | null; type: string; data: string };

const MAX_BUFFER_LENGTH = 4 * 1024 * 1024;

/** Creates an incremental parser of a text/event-stream (HTML standard, "Interpreting an event stream"). It throws RangeError beyond 4 MiB without a line end. */
export function createEventParser(): (text: string) => ServerEvent[] {
  let buffer = '';
  let id: string | null = null;
  let type = '';
  let data: string[] = [];

  function readLine(line: string): ServerEvent | null {
    if (line === '') {
      const event = data.length > 0 ? { id, type: type === '' ? 'message' : type, data: data.join('\n') } : null;
      [id, type, data] = [null, '', []];
      return event;
    }
    if (line.startsWith(':')) return null;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
    return null;
  }

  return (text) => {
    buffer += text;
    if (buffer.length > MAX_BUFFER_LENGTH) throw new RangeError('an event is longer than 4 MiB');
    // A carriage return at the end may be the first half of a CRLF.
    const usable = buffer.endsWith('\r') ? buffer.slice(0, -1) : buffer;
    const lines = usable.split(/\r\n|\r|\n/);
    buffer = (lines.pop() ?? '') + buffer.slice(usable.length);
    return lines.map(readLine).filter((event) => event !== null);
  };
}
