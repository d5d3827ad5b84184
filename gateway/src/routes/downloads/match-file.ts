import { createHash } from 'node:crypto';
import type { ExportedHands__Output } from '@husky/contracts/types/live/v1/ExportedHands';
import type { ExportedMatch__Output } from '@husky/contracts/types/live/v1/ExportedMatch';
import type { MatchWriter } from '@husky/match/match-file';
import { PlayDigest } from '@husky/match/play-digest';
import { signEnd } from '../../signatures.ts';
import { nameGame } from '../live/present.ts';
import { buildManifest, type ManifestSource } from './manifest.ts';

export interface Download extends ManifestSource {
  readonly writer: MatchWriter;
  /** Aborts when the client disconnects or its rights change. */
  readonly signal: AbortSignal;
}

/** An export that has started: its first message has arrived, so nothing was sent if live-data refused it. */
export interface OpenedMatch {
  readonly match: ExportedMatch__Output;
  readonly manifest: object;
  readonly nameOf: (id: string) => string;
  readonly messages: AsyncIterator<ExportedHands__Output>;
}

/** Opens the export of a match and builds its manifest. Throws the refusals of live-data and simulation. */
export async function openMatch(jobId: string, download: Download): Promise<OpenedMatch> {
  const { context, caller, signal } = download;
  const stream = context.liveData.exportMatch({ jobId }, { caller, signal });
  const messages = stream[Symbol.asyncIterator]();
  const first = await messages.next();
  signal.throwIfAborted();
  const match = first.done ? null : first.value.match;
  if (!match) throw new Error(`live-data sent no match for the download of ${jobId}`);
  return { match, messages, ...(await buildManifest(match, download)) };
}

/** Yields the file of a match. Throws if the export ends early, so the file then lacks its end mark. */
export async function* matchFile(
  { match, nameOf, manifest, messages }: OpenedMatch,
  { context, writer, signal }: Download,
): AsyncGenerator<string> {
  const digest = new PlayDigest();
  const hash = createHash('sha256');
  let hands = 0;
  const start = writer.start(manifest);
  hash.update(start);
  yield start;
  for await (const { gameJson } of { [Symbol.asyncIterator]: () => messages }) {
    const text = gameJson.map((json) => {
      const game = nameGame({ gameJson: json, playerIds: match.playerIds }, nameOf);
      hands += 1;
      digest.add(game, hands);
      return writer.hand(game, hands, match.jobId);
    });
    const part = text.join('');
    hash.update(part);
    yield part;
  }
  // An aborted call ends without an error.
  signal.throwIfAborted();
  if (hands !== match.hands) throw new Error(`${hands} of ${match.hands} hands of match ${match.jobId} were exported`);
  yield await signEnd(context, 'match', writer.end({ complete: true, hands, play_digest: digest.hex }), hash);
}
