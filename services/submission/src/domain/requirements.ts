import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { isStandardModule } from './standard-modules.ts';

/** A valid requirements.txt: only package names with version specifiers. */
export interface Requirements {
  /** One line per package, normalised and sorted: `numpy<2,>=1.26`. */
  readonly lines: readonly string[];
  /** Hex SHA-256 of the lines. */
  readonly hash: string;
}

export const maxRequirementLines = 50;

// PEP 508 names and PEP 440 version specifiers.
const name = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/;
const specifier = /^(===|~=|==|!=|<=|>=|<|>)\s*([A-Za-z0-9][A-Za-z0-9.!+_-]*(?:\.\*)?)$/;

/** Parses a requirements.txt. Throws INVALID_ARGUMENT for the first invalid line. */
export function parseRequirements(text: string): Requirements {
  const found = new Set<string>();
  for (const [index, { line, number }] of requirementLines(text).entries()) {
    if (index === maxRequirementLines) {
      throw refusal(`requirements.txt names more than ${maxRequirementLines} packages.`);
    }
    found.add(normalise(line, number));
  }
  const lines = [...found].sort();
  return { lines, hash: createHash('sha256').update(lines.join('\n')).digest('hex') };
}

/**
 * Throws INVALID_ARGUMENT for the first line that names a module of Python's standard library. Applies to new uploads only: an
 * index may have a package of that name, and a bot already stored with it must still be playable.
 */
export function refuseStandardModules(text: string): void {
  for (const { line, number } of requirementLines(text)) {
    const module = name.exec(line)?.[0] ?? '';
    if (!isStandardModule(module)) continue;
    throw refusal(
      `Line ${number} of requirements.txt names ${module}, which is part of Python's standard library: it is there without being named. Remove the line.`,
    );
  }
}

/** Returns the lines that are neither blank nor a comment, with their line numbers (from 1) in the file. */
function requirementLines(text: string): { line: string; number: number }[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((raw, index) => ({ line: raw.replace(/(^|\s)#.*$/, '').trim(), number: index + 1 }))
    .filter(({ line }) => line !== '');
}

function normalise(line: string, lineNumber: number): string {
  const problem = (why: string) => refusal(`Line ${lineNumber} of requirements.txt ${why}: ${quote(line)}.`);
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

function quote(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
}

function refusal(message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', 'requirements-invalid', message);
}
