// Writes a stored match into this folder, with the build of any release: node write.ts FILE ROOT SETUP HANDS PLAY_SEED [KEY]
// ROOT is a working tree of that release, SETUP the JSON of a TableSetup. Existing files are never overwritten: they are samples of
// the bytes in the databases of that release.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [file = '', root = '', setupText = '', hands = '', playSeed = '', keyHex = ''] = process.argv.slice(2);
const folder = join(resolve(root), 'services/lib/match');
const { playMatch, seed } = (await import(`${folder}/test/matches.ts`)) as typeof import('../matches.ts');
const { encodeChunk } = (await import(`${folder}/src/chunk.ts`)) as typeof import('../../src/chunk.ts');
const { digestNext, digestStart } = (await import(`${folder}/src/digest.ts`)) as typeof import('../../src/digest.ts');

const key = keyHex === '' ? seed : Buffer.from(keyHex, 'hex');
const setup = JSON.parse(setupText);
const chunks = playMatch(setup, Number(hands), { thinkMs: 20, faults: 0.02 }, Number(playSeed), key);
let digest = digestStart(file, 1);
const results = new Array<number>(setup.players).fill(0);
for (const chunk of chunks) {
  for (const [index, record] of chunk.hands.entries()) {
    digest = digestNext(digest, chunk.firstHand + index, record);
    for (const [seat, delta] of record.deltas.entries()) results[seat] = (results[seat] as number) + delta;
  }
}
const stored = {
  writtenBy: execFileSync('git', ['-C', root, 'log', '-1', '--format=%h %as'], { encoding: 'utf8' }).trim(),
  matchId: file,
  attempt: 1,
  seed: Buffer.from(key).toString('hex'),
  setup,
  hands: chunks.reduce((sum, chunk) => sum + chunk.hands.length, 0),
  results,
  digest: Buffer.from(digest).toString('hex'),
  chunks: chunks.map((chunk) => Buffer.from(encodeChunk(chunk)).toString('base64')),
};
const target = join(import.meta.dirname, `${file}.json`);
writeFileSync(target, `${JSON.stringify(stored, null, 2)}\n`, { flag: 'wx' });
