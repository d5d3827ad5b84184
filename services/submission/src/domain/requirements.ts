import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';

/** A requirements.txt that keeps the rules: names with version specifiers only. */
export interface Requirements {
  /** One a package, normalised and sorted: `numpy<2,>=1.26`. */
  readonly lines: readonly string[];
  /** Hex SHA-256 of the lines. */
  readonly hash: string;
}

export const maxRequirementLines = 50;

// PEP 508 names and PEP 440 version specifiers.
const name = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;
const specifier = /^(===|~=|==|!=|<=|>=|<|>)\s*([A-Za-z0-9][A-Za-z0-9.!+_-]*(?:\.\*)?)$/;

/** Throws INVALID_ARGUMENT that names the first line which breaks the rules. */
export function parseRequirements(text: string): Requirements {
  const found = new Set<string>();
  let count = 0;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim();
    if (line === '') continue;
    count++;
    if (count > maxRequirementLines) {
      throw refusal(`requirements.txt names more than ${maxRequirementLines} packages.`);
    }
    found.add(normalised(line, index + 1));
  }
  const lines = [...found].sort();
  return { lines, hash: createHash('sha256').update(lines.join('\n')).digest('hex') };
}

function normalised(line: string, lineNumber: number): string {
  const problem = (why: string) => refusal(`Line ${lineNumber} of requirements.txt ${why}: ${shown(line)}.`);
  if (line.startsWith('-')) throw problem('is an option; only package names with version specifiers are accepted');
  if (/:\/\/|\s@\s|^[A-Za-z0-9._-]+@|^(git|hg|svn|bzr)\+/.test(line)) {
    throw problem('is a link; only package names with version specifiers are accepted');
  }
  if (/^[./~\\]|[/\\]|\.(whl|zip|tar\.gz|tgz)$/.test(line)) {
    throw problem('is a path; only package names with version specifiers are accepted');
  }
  if (line.includes(';')) throw problem('has an environment marker, which is not accepted');
  if (line.includes('[')) throw problem('asks for extras, which are not accepted');
  const found = name.exec(line)?.[0];
  if (found === undefined) throw problem('is not a package name with version specifiers');
  const rest = line.slice(found.length).trim();
  const specifiers = rest === '' ? [] : rest.split(',').map((part) => specifier.exec(part.trim()));
  const parts = specifiers.map((match) => {
    if (!match) throw problem('is not a package name with version specifiers');
    return `${match[1]}${match[2]}`;
  });
  return found.toLowerCase().replace(/[-_.]+/g, '-') + parts.sort().join(',');
}

function shown(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
}

function refusal(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'requirements-invalid', message);
}
