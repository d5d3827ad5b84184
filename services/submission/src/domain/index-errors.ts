import { DomainError } from '@husky/runtime/rpc/errors';

const retryAfterS = 30;

const unavailable = (reason: string, message: string) =>
  new DomainError('UNAVAILABLE', reason, message, { retryAfterS });

const busy =
  'The packages in requirements.txt could not be prepared, because the server is busy. Please try again later.';

/** The packages are not the cause: memory, space or time was short, so the system ended the program, or too many wait. */
export const interrupted = () => unavailable('packages-interrupted', busy);

/** `doing`: Resolving, Downloading. The index responds, but not soon enough for all packages. */
export const timedOut = (doing: string, seconds: number) =>
  unavailable('packages-timed-out', `${doing} the packages in requirements.txt took longer than ${seconds} s.`);

export function unresolvable(message: string): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'package-unresolvable', message);
}

/** Explains a refusal of the resolver in one sentence that names the package; `target` as in "Python 3.11 on x86_64". */
export function resolverRefusal(output: string, target: string): DomainError {
  const text = output.replace(/\s+/g, ' ');
  const failure = environmentFailure(text);
  if (failure) return failure;
  const [, missing] = /Because (\S+) was not found in the package registry/.exec(text) ?? [];
  if (missing) return unresolvable(`The package ${missing} does not exist in the package index.`);
  if (/do not match the hashes|--require-hashes mode/i.test(text)) {
    return unresolvable(
      'The packages in the index have other hashes than requirements.txt gives, or it gives none for some.',
    );
  }
  const [, wheelless] =
    /(?:Because|and) (?:all versions of |only )?([A-Za-z0-9][^ ,]*)[^,]{0,80} ha(?:s|ve) no (?:usable )?wheels/.exec(
      text,
    ) ?? [];
  if (wheelless) {
    return unresolvable(`The package ${wheelless} has no wheel for ${target}; source packages are not accepted.`);
  }
  const [, absent] = /there (?:is|are) no versions? of ([^,]+?) and you require/.exec(text) ?? [];
  if (absent) return unresolvable(`There is no version of ${absent} in the package index.`);
  const [, cause] = /Because (.+?)(?:, we can conclude that|\. (?:And|hint)|$)/.exec(text) ?? [];
  const why = cause === undefined ? '' : `: ${cause.slice(0, 300)}`;
  return unresolvable(`The packages in requirements.txt cannot be installed together${why}.`);
}

/** Returns the failure if not the packages are its cause but the index, the way to it or this machine. */
function environmentFailure(text: string): DomainError | undefined {
  // uv takes these two statuses for a package that does not exist, and names them in a hint.
  const status =
    /HTTP status (?:client|server) error \((\d{3})/.exec(text) ??
    /hint: An index .*?\b(401|403) (?:Unauthorized|Forbidden)/.exec(text);
  if (status) return indexFailed(`HTTP ${status[1]}`);
  if (/No solution found/.test(text)) return undefined;
  if (/Unsupported `?Content-Type/.test(text)) return indexFailed('no list of packages');
  if (/os error (?:12|24|28|122)\)/.test(text)) return interrupted();
  if (/timed out/i.test(text)) {
    return unavailable('package-index-slow', 'The package index did not answer in time. Please try again later.');
  }
  if (/failed to fetch|error sending request|request failed after|connection (?:refused|reset)|dns error/i.test(text)) {
    return unavailable('package-index-away', 'The package index cannot be reached right now.');
  }
  return undefined;
}

function indexFailed(what: string): DomainError {
  const message = `The package index answered with an error (${what}). Please try again later.`;
  return unavailable('package-index-failed', message);
}
