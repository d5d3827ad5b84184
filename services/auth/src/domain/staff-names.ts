import { DomainError } from '@husky/runtime/rpc/errors';

const lookAlikes: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', l: 'i' };

/** Returns text in which letters that look alike are equal: upper and lower case, digits for letters, i and l, rn and m. */
function fold(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[0134578l]/g, (found) => lookAlikes[found] ?? found);
  return letters.replaceAll('rn', 'm');
}

const foldWords = (text: string) => text.split(' ').map(fold);

/** Names of the platform and of the people who run it, alone or with additions: `Support`, `the-husky-team`. */
const staff = foldWords(
  'admin admins administrator administrators moderator moderators mod mods sysadmin superuser root system support help helpdesk staff official security husky organizer organizers organiser organisers webmaster postmaster noreply',
).join('|');
const additions = foldWords(
  'the real true our your my super head chief senior global site web server platform holdem poker game tournament event account user bot team desk center centre contact x',
).join('|');
const onlyStaff = new RegExp(`^(?:${staff}|${additions})*(?:${staff})(?:${staff}|${additions})*$`);
/** Between separators, these look like staff in every name: `anna-official`. */
const titles = new Set(foldWords('admin admins administrator administrators moderator moderators official staff'));
/** No ordinary name begins or ends with these: `annaAdmin`. */
const titlesAnywhere = foldWords('admin administrator moderator');

// A digit at the ends of a part is a number or a letter.
const numbers = [/^$/, /^\d+/, /\d+$/, /^\d+|\d+$/g];

/** Whether a name looks like that of the platform or of somebody who runs it. */
export function isStaffName(username: string): boolean {
  return numbers.some((number) => {
    const parts = username.split(/[-_]/).map((part) => fold(part.replace(number, '')));
    const whole = parts.join('');
    return (
      onlyStaff.test(whole) ||
      parts.some((part) => titles.has(part)) ||
      titlesAnywhere.some((title) => whole.startsWith(title) || whole.endsWith(title))
    );
  });
}

export function staffName(): DomainError {
  const message = 'That username is reserved for the people who run this site. Please choose another one';
  return new DomainError('INVALID_ARGUMENT', 'username-reserved', message);
}
