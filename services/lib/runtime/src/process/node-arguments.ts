/**
 * Arguments of Node for services and dealers outside of containers: V8's young generation takes at most 48 MiB, three semi-spaces. Without
 * the limit it grows to 192 MiB on a machine with 24 GiB. In containers their memory limits have this effect (docs/performance.md, Memory).
 * Stack traces name the lines of the sources, also of bundled ones. `gc` is for collectAfterStart.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=16', '--enable-source-maps', '--expose-gc'];

const startedMs = 5000;

/**
 * Frees what the start has left, 5 s later, in one pause of about 0.1 s. V8 alone would keep it until the heap has doubled. Does nothing
 * without `nodeArguments`.
 */
export function collectAfterStart(): void {
  setTimeout(() => globalThis.gc?.({ type: 'major', flavor: 'last-resort' }), startedMs).unref();
}
