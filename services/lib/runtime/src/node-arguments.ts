/**
 * Arguments of Node for services and dealers outside of containers. On a machine with 24 GiB V8's young generation would otherwise grow to
 * 192 MiB in each process, three semi-spaces; containers get 1 to 16 MiB a semi-space by their memory limits.
 */
export const nodeArguments: readonly string[] = ['--max-semi-space-size=16'];
