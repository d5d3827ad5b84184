// Draws samples of processor time as a flame graph: callers are above their callees, widths are shares of the time.
//   perf record -F 1999 -g -o FILE -- node --perf-basic-prof --interpreted-frames-native-stack PROGRAM …
//   perf script -i FILE --comm MainThread -F comm,period,ip,sym,dso | node flame.ts 'Title' > picture.svg
// Processor time, not wall time: on one core, a write that wakes a seat would count the seat's turn as the dealer's.
import { createInterface } from 'node:readline';

interface Frame {
  readonly name: string;
  readonly place: string;
  time: number;
  readonly called: Map<string, Frame>;
}

const width = 1200;
const row = 15;
const head = 24;
/** Frames narrower than this many pixels are left out with their callees. */
const minWidth = 1;
const letterWidth = 6.2;

/** Names of the work of native code, by the first pattern that matches one of its symbols. */
const nativeWork: readonly [RegExp, string][] = [
  [/Scaveng|MarkCompact|Heap::|Sweep|GarbageCollect/, 'garbage collection'],
  [/compiler|Compil|Parse[rI]|Deoptimiz|Interpreter/i, 'compiling'],
  [/DoTryWrite|uv_try_write|WriteString/, 'write of the stream'],
  [/uv__read|OnStreamRead|OnUvRead/, 'read of the stream'],
  [/uv__io_poll|uv_run/, 'event loop'],
];

const script = /^JS:[*+^~]?'?(.*?) ?((?:file|node):\S*)$/;
const frameLine = /^\s+[0-9a-f]+ (.+) \((.*)\)$/;

/** Returns the name and file of a function, without the folder of the checkout. */
function scriptFrame(symbol: string): [string, string] | undefined {
  const [, name, url] = script.exec(symbol) ?? [];
  if (url === undefined) return undefined;
  return [name || '(anonymous)', url.startsWith('node:') ? url : url.split('/').slice(-3).join('/')];
}

/** Returns the names and places of a stack, outermost first. Kernel and native symbols become one frame for each run of them. */
function framesOf(stack: readonly string[]): [string, string][] {
  const frames: [string, string][] = [];
  let run: { kernel: boolean; symbols: string[] } | undefined;
  const endRun = () => {
    if (run === undefined) return;
    const { kernel, symbols } = run;
    run = undefined;
    const call = symbols.map((symbol) => /^__(?:x64|arm64)_sys_(\w+)/.exec(symbol)?.[1]).find(Boolean);
    const work = nativeWork.find(([pattern]) => symbols.some((symbol) => pattern.test(symbol)))?.[1];
    const name = kernel ? `kernel${call ? `: ${call}` : ''}` : work;
    if (name !== undefined) frames.push([name, '']);
  };
  for (const line of [...stack].reverse()) {
    const [, symbol = '', library = ''] = frameLine.exec(line) ?? [];
    const found = scriptFrame(symbol);
    if (found) {
      endRun();
      frames.push(found);
    } else if (!symbol.startsWith('Builtins_') && symbol !== '[unknown]') {
      const kernel = library.startsWith('[kernel');
      if (run?.kernel !== kernel) endRun();
      run ??= { kernel, symbols: [] };
      run.symbols.push(symbol);
    }
  }
  endRun();
  return frames;
}

function addSample(root: Frame, stack: readonly string[], time: number): void {
  root.time += time;
  let frame = root;
  for (const [name, place] of framesOf(stack)) {
    const key = `${name} ${place}`;
    const next = frame.called.get(key) ?? { name, place, time: 0, called: new Map() };
    frame.called.set(key, next);
    next.time += time;
    frame = next;
  }
}

const colourOf = ({ name, place }: Frame): string => {
  if (name.startsWith('kernel')) return '#9db4c0';
  if (place === '') return '#c2dfe3';
  if (place.startsWith('node:')) return '#d9d9d9';
  return /^(runner|src)\//.test(place) ? '#f2a65a' : '#f6d365';
};

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function renderSvg(root: Frame, title: string): string {
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (frame: Frame, x: number, depth: number) => {
    const wide = (width * frame.time) / root.time;
    if (wide < minWidth) return;
    deepest = Math.max(deepest, depth);
    const y = head + depth * row;
    const label = frame.name.slice(0, Math.max(0, Math.floor((wide - 4) / letterWidth)));
    const tip = `${frame.name} ${frame.place} ${((100 * frame.time) / root.time).toFixed(1)} %`;
    const text = label.length < 3 ? '' : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escapeXml(label)}</text>`;
    boxes.push(
      `<g><title>${escapeXml(tip)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${row - 1}" fill="${colourOf(frame)}"/>${text}</g>`,
    );
    let left = x;
    for (const called of [...frame.called.values()].sort((a, b) => b.time - a.time)) {
      draw(called, left, depth + 1);
      left += (width * called.time) / root.time;
    }
  };
  draw(root, 0, 0);
  const height = head + (deepest + 1) * row;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">
<rect width="${width}" height="${height}" fill="#fff"/><text x="4" y="15" font-size="13">${escapeXml(title)}</text>
${boxes.join('\n')}
</svg>`;
}

const root: Frame = { name: 'all', place: '', time: 0, called: new Map() };
let stack: string[] = [];
let time = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const start = /^\S+ +(\d+) *$/.exec(line);
  if (start) {
    time = Number(start[1]);
    stack = [];
  } else if (line.trim() === '') {
    if (stack.length > 0) addSample(root, stack, time);
    stack = [];
  } else stack.push(line);
}
if (stack.length > 0) addSample(root, stack, time);
if (root.time === 0) throw new Error('no samples: pipe the output of perf script, see the first lines of this file');
console.log(renderSvg(root, process.argv[2] ?? 'Processor time'));
