import { DomainError } from '@husky/runtime/errors';

// Messages of the resolver for an unreachable index, as opposed to a refusal.
const unreachable =
  /failed to fetch|error sending request|request failed after|timed out|connection (refused|reset)|dns error|http status (client|server) error|network/i;

export function indexUnreachable(): DomainError {
  return new DomainError('UNAVAILABLE', 'package-index-away', 'The package index cannot be reached right now.');
}

export function unresolvable(message: string): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'package-unresolvable', message);
}

/** Explains a refusal of the resolver in one sentence that names the package; `target` as in "Python 3.11 on x86_64". */
export function resolverRefusal(output: string, target: string): DomainError {
  const text = output.replace(/\s+/g, ' ');
  const [, missing] = /Because (\S+) was not found in the package registry/.exec(text) ?? [];
  if (missing) return unresolvable(`The package ${missing} does not exist in the package index.`);
  if (unreachable.test(text)) return indexUnreachable();
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
