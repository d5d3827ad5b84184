import { type Letter, site } from '../../mail/mail.ts';
import type {
  BatchNotice,
  ChallengeNotice,
  LadderNotice,
  MatchNotice,
  NoticeData,
  NoticeKind,
  NoticeResult,
  SubmissionNotice,
  TournamentNotice,
} from '../domain/notice.ts';

/** The recipient of a mail, with the data for its links and names. */
export interface NoticeReader {
  readonly userId: string;
  readonly username: string;
  readonly publicUrl: string;
  readonly optOutUrl: string;
  readonly nameOf: (userId: string) => string;
}

/** Maximum number of matches that one mail lists; the others are only counted. */
const maxItems = 20;

interface Content {
  readonly subject: string;
  readonly before: string;
  readonly items: readonly NoticeItem[];
  readonly after: string;
  readonly action: { readonly label: string; readonly url: string };
  /** When mails of this kind are sent; completes the sentence "You get an e-mail …". */
  readonly why: string;
}

interface NoticeItem {
  readonly text: string;
  readonly url?: string;
}

/** Writes one mail for all notices of a kind. `url` is its main link. */
export function noticeMail(
  kind: NoticeKind,
  notices: readonly NoticeData[],
  reader: NoticeReader,
): Letter & { readonly url: string } {
  const { subject, before, items, after, action, why } = writers[kind](notices, reader);
  const links = [
    { label: 'Unsubscribe', url: reader.optOutUrl },
    { label: 'All settings', url: `${reader.publicUrl}/account` },
  ];
  const parts = [
    { paragraph: `Hello ${reader.username},` },
    { paragraph: before },
    { list: items },
    { paragraph: after },
    { button: action.label, url: action.url },
    { paragraph: site },
    { footer: `You get an e-mail ${why}.`, links },
  ];
  return { subject, parts, url: action.url };
}

type About = NoticeData['about'];

const those = <A extends About>(notices: readonly NoticeData[], about: A) =>
  notices.filter((notice): notice is Extract<NoticeData, { about: A }> => notice.about === about);

const writers: Readonly<Record<NoticeKind, (notices: readonly NoticeData[], reader: NoticeReader) => Content>> = {
  verified: (_, reader) => verified(reader),
  bot_prepared: (notices, reader) => prepared(those(notices, 'submission'), reader),
  bot_disabled: (notices, reader) => botDisabled(those(notices, 'match'), those(notices, 'ladder'), reader),
  challenged: (notices, reader) => challenged(those(notices, 'challenge'), reader),
  tournament: (notices, reader) => ofTournaments(those(notices, 'tournament'), reader),
  match_finished: (notices, reader) => finished(those(notices, 'match'), those(notices, 'batch'), reader),
};

function verified({ publicUrl }: NoticeReader): Content {
  return {
    subject: `Your ${site} address is verified`,
    before: 'your e-mail address is verified: you can upload bots and play matches now. What next?',
    items: [
      { text: 'Read how to write a bot', url: `${publicUrl}/bots` },
      { text: 'Upload one and try it in a test run against the house bot', url: `${publicUrl}/submission` },
      { text: 'Mark one submission as final: matches are played with that one', url: `${publicUrl}/submission` },
    ],
    after: '',
    action: { label: 'Upload a bot', url: `${publicUrl}/submission` },
    why: 'when your address has been verified',
  };
}

function prepared(submissions: readonly SubmissionNotice[], { publicUrl }: NoticeReader): Content {
  const url = `${publicUrl}/submission`;
  const refusals = submissions.filter(({ refusal }) => refusal !== '').map(({ refusal }) => ({ text: refusal }));
  const ready = submissions.length - refusals.length;
  const isReady = `the packages of ${ready === 1 ? 'your submission' : `${ready} of your submissions`} are ready`;
  const refused = `the packages of ${refusals.length === 1 ? 'a submission' : `${refusals.length} submissions`} cannot be used`;
  return {
    subject: refusals.length === 0 ? 'Your submission is ready' : 'The packages of your submission cannot be used',
    before:
      refusals.length === 0
        ? `${isReady}: it can be marked as final.`
        : `${ready === 0 ? '' : `${isReady}, but `}${refused}:`,
    items: refusals,
    after:
      refusals.length === 0 ? '' : 'Change requirements.txt and upload the bot again. Delete the refused submission.',
    action: { label: 'View your submissions', url },
    why: 'when the packages of a submission have been prepared after its upload',
  };
}

function challenged(challenges: readonly ChallengeNotice[], { publicUrl, nameOf }: NoticeReader): Content {
  const names = [...new Set(challenges.map(({ challengerId }) => nameOf(challengerId)))];
  return {
    subject: names.length === 1 ? `${names[0]} challenges your bot` : `${names.length} players challenge your bot`,
    before: 'these players want your bot to play a match that is not rated:',
    items: names.slice(0, maxItems).map((text) => ({ text })),
    after: 'Accept or decline within 24 hours. On the page of submissions you can accept all challenges, or none.',
    action: { label: 'Answer', url: `${publicUrl}/dashboard` },
    why: 'when somebody challenges your bot and you want to be asked',
  };
}

const newsTexts: Readonly<
  Record<TournamentNotice['news'], (notice: TournamentNotice) => { readonly subject: string; readonly text: string }>
> = {
  ENTERED: ({ name }) => ({
    subject: `Your bot is entered in ${name}`,
    text: `${name}: your bot is entered. Its files are frozen; you can follow it there.`,
  }),
  CHECK_FAILED: ({ name, entryDeadline }) => ({
    subject: `Your bot would not start in ${name}`,
    text: `${name}: your final submission did not start in its test run. Entries close at ${entryDeadline}: upload a bot that starts and mark it as final before that.`,
  }),
  RESULTS: ({ name }) => ({ subject: `The results of ${name} are out`, text: `${name}: the results are out.` }),
};

function ofTournaments(news: readonly TournamentNotice[], { publicUrl }: NoticeReader): Content {
  const written = news.map((one) => ({ ...newsTexts[one.news](one), url: `${publicUrl}/tournaments/${one.slug}` }));
  const [only] = written.length === 1 ? written : [];
  return {
    subject: only?.subject ?? 'News of your tournaments',
    before: 'there is news:',
    items: written.map(({ text, url }) => ({ text, url })),
    after: '',
    action: { label: 'View the tournament', url: only?.url ?? `${publicUrl}/tournaments` },
    why: 'when your bot is entered in a tournament, would not start in it, or the results are out',
  };
}

function botDisabled(matches: readonly MatchNotice[], pauses: readonly LadderNotice[], reader: NoticeReader): Content {
  const why = 'when your bot is disabled in a match or paused on the ladder';
  const paused = pauses.map(({ reason }) => ({ text: reason }));
  if (matches.length === 0) {
    return {
      subject: 'Your bot is paused on the ladder',
      before: 'your bot plays no further set of the ladder:',
      items: paused,
      after: '',
      action: { label: 'View your submissions', url: `${reader.publicUrl}/submission` },
      why,
    };
  }
  const reasonIn = (match: MatchNotice) =>
    match.results.find(({ userId }) => userId === reader.userId)?.disabled || 'is disabled';
  const [first] = matches;
  if (matches.length === 1 && first) {
    return {
      subject: `Your bot was disabled in ${titleOf(first)}`,
      before: `your bot stopped playing in ${titleOf(first)}: it ${reasonIn(first)}.`,
      items: paused,
      after: 'It folded every hand from then on. The bot report on the page of the match has the details.',
      action: { label: 'View the match', url: urlOf(first, reader) },
      why,
    };
  }
  return {
    subject: `Your bot was disabled in ${matches.length} matches`,
    before: `your bot stopped playing in ${matches.length} matches and folded every hand of them from then on.`,
    items: [...listMatches(matches, reader, (match) => `${titleOf(match)}: it ${reasonIn(match)}`), ...paused],
    after: 'The bot report on the page of each match has the details.',
    action: {
      label: 'View the latest match',
      url: matches.at(-1) ? urlOf(matches.at(-1), reader) : reader.publicUrl,
    },
    why,
  };
}

function finished(matches: readonly MatchNotice[], batches: readonly BatchNotice[], reader: NoticeReader): Content {
  const why = 'when a match of yours has ended';
  const [first] = matches;
  if (matches.length === 1 && batches.length === 0 && first) return { ...oneMatch(first, reader), why };
  const [batch] = batches;
  if (matches.length === 0 && batches.length === 1 && batch) {
    return {
      subject: `Batch ${batch.batchNumber} has ended`,
      before: `all matches of batch ${batch.batchNumber} have ended: ${batchCounts(batch)}.`,
      items: [],
      after: '',
      action: { label: 'View the batch', url: `${reader.publicUrl}/llm-batch` },
      why,
    };
  }
  const ofBatches = Map.groupBy(
    matches.filter((match) => match.batchNumber > 0),
    (match) => match.batchNumber,
  );
  const single = matches.filter((match) => match.batchNumber === 0);
  const count = matches.length + batches.length;
  return {
    subject: count === matches.length ? `${count} matches have ended` : `${count} matches and batches have ended`,
    before: 'these have ended since the last e-mail:',
    items: [
      ...batches.map((one) => ({
        text: `Batch ${one.batchNumber}: ${batchCounts(one)}`,
        url: `${reader.publicUrl}/llm-batch`,
      })),
      ...[...ofBatches].map(([number, played]) => ({
        text: `Batch ${number}: ${countOf(played.length)} with your bot, ${chips(sum(played, reader))} in all`,
      })),
      ...listMatches(single, reader, (match) => `${capital(titleOf(match))}: ${outcomeOf(match, reader)}`),
    ],
    after: '',
    action: {
      label: 'View the matches',
      url: `${reader.publicUrl}/${matches.some(({ own }) => own) ? 'dashboard' : 'games'}`,
    },
    why,
  };
}

function oneMatch(match: MatchNotice, reader: NoticeReader): Omit<Content, 'why'> {
  const title = titleOf(match);
  const action = { label: 'View the match', url: urlOf(match, reader) };
  if (match.failed) {
    const before = `${title} could not be played to its end. ${match.reason}`;
    return { subject: `${capital(title)} has failed`, before, items: [], after: '', action };
  }
  const early = match.reason === '' ? '' : ` It ended early: ${match.reason}.`;
  const nobodyWon = match.noContest ? ' No bot played against another: nobody has won or lost.' : '';
  const results = [...match.results].sort((a, b) => b.delta - a.delta);
  return {
    subject: `${capital(title)} has finished`,
    before: `${title} has finished after ${match.handsPlayed} of ${match.numRounds} hands.${early.replace(/\.\.$/, '.')}${nobodyWon}`,
    items: results.map((result) => {
      const name = result.userId === reader.userId ? 'Your bot' : reader.nameOf(result.userId);
      return { text: `${name}: ${resultIn(match, result)}` };
    }),
    after: '',
    action,
  };
}

/** Returns 'never started: …', 'no contest', or the chips, followed by the bot's faults. */
function resultIn(match: MatchNotice, { delta, disabled, faults = '', neverStarted = false }: NoticeResult): string {
  if (neverStarted) return faults;
  const outcome = match.noContest ? 'no contest' : chips(delta);
  const why = faults === '' ? disabled : faults;
  return why === '' ? outcome : `${outcome}; it ${why}`;
}

function outcomeOf(match: MatchNotice, reader: NoticeReader): string {
  if (match.failed) return `failed. ${match.reason}`;
  const own = match.results.find(({ userId }) => userId === reader.userId);
  if (!own) return `finished after ${match.handsPlayed} hands`;
  return own.neverStarted || match.noContest
    ? `your bot ${own.faults || 'had no contest'}`
    : `your bot ended at ${resultIn(match, own)}`;
}

function listMatches(
  matches: readonly MatchNotice[],
  reader: NoticeReader,
  textOf: (match: MatchNotice) => string,
): NoticeItem[] {
  const items = matches.slice(-maxItems).map((match) => ({ text: textOf(match), url: urlOf(match, reader) }));
  const more = matches.length - items.length;
  return more > 0 ? [...items, { text: `and ${more} more` }] : items;
}

function titleOf(match: MatchNotice): string {
  if (match.jobKind === 'TEST_RUN') return `test run ${match.number}`;
  return match.batchNumber > 0 ? `match ${match.number} of batch ${match.batchNumber}` : `match ${match.number}`;
}

const urlOf = (match: MatchNotice | undefined, { publicUrl }: NoticeReader) =>
  `${publicUrl}/games/${match?.jobId ?? ''}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const countOf = (matches: number) => (matches === 1 ? '1 match' : `${matches} matches`);
const batchCounts = ({ finished: done, failed }: BatchNotice) => `${countOf(done)} finished, ${failed} failed`;
const sum = (matches: readonly MatchNotice[], { userId }: NoticeReader) =>
  matches.reduce((total, { results }) => total + (results.find((one) => one.userId === userId)?.delta ?? 0), 0);

function chips(delta: number): string {
  const amount = `${Math.abs(delta).toLocaleString('en-US')} ${Math.abs(delta) === 1 ? 'chip' : 'chips'}`;
  return delta > 0 ? `+${amount}` : delta < 0 ? `−${amount}` : amount;
}
