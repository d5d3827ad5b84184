/**
 * Arguments of Node for services and dealers outside of containers: V8's young generation takes at most 48 MiB, three semi-spaces. Without
 * the limit it grows to 192 MiB on a machine with 24 GiB. In containers their memory limits have this effect (docs/performance.md, Memory).
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=16'];
