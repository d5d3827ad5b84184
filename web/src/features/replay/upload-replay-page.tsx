import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { FileDrop } from '../../components/file-drop.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { MAX_LOG_BYTES, NOT_A_JSON_FILE, type ParseResult, parseGameText } from '../../table/parse-game.ts';
import { ReplayViewer } from '../../table/replay-viewer.tsx';
import type { ReplayPosition } from '../../table/use-replay.ts';
import './replay.css';

const BYTES_PER_MIB = 1024 * 1024;

export type UploadedFile = { name: string; type: string; size: number; text: () => Promise<string> };

/** Parses a file as the log of a hand. Refuses a file that is too large without reading it. */
export async function readUpload(file: UploadedFile): Promise<ParseResult> {
  if (file.type !== 'application/json' && !file.name.toLowerCase().endsWith('.json')) {
    return { ok: false, error: NOT_A_JSON_FILE, detail: '' };
  }
  if (file.size > MAX_LOG_BYTES) {
    const detail = `The file has ${Math.ceil(file.size / BYTES_PER_MIB)} MB; the log of one hand has at most ${MAX_LOG_BYTES / BYTES_PER_MIB} MB.`;
    return { ok: false, error: NOT_A_JSON_FILE, detail };
  }
  try {
    return parseGameText(await file.text());
  } catch {
    // The file was moved or changed since it was chosen.
    return { ok: false, error: NOT_A_JSON_FILE, detail: 'The file could not be read.' };
  }
}

const START: ReplayPosition = { mode: 'action', step: 0 };

type Chosen = { name: string; result: ParseResult | null };

function Requirements() {
  return (
    <Panel title="Requirements">
      <ul className="upload-notes">
        <li>A JSON file (.json) with the log of one hand, as the engine writes it or as 'Get Raw Log' downloads it.</li>
        <li>
          It has <code>rounds</code> (object), <code>playerNames</code> (object) and <code>finalBoard</code> (list); it
          may be wrapped in <code>game_data</code>.
        </li>
        <li>Between 2 and 6 players.</li>
        <li>The file stays in your browser: nothing is sent.</li>
      </ul>
    </Panel>
  );
}

function Chooser({
  chosen,
  onFile,
  onClear,
}: {
  chosen: Chosen | null;
  onFile: (file: File) => void;
  onClear: () => void;
}) {
  const failure = chosen?.result?.ok === false ? chosen.result : null;
  return (
    <div className="columns columns-lead">
      <Panel title="Choose a log">
        <div className="stack">
          <FileDrop
            accept=".json,application/json"
            label="Drop the log of a hand here, or choose one."
            buttonLabel="Choose file"
            onFiles={(files) => files[0] && onFile(files[0])}
          />
          {chosen && (
            <p className="chosen-file">
              <bdi className="breakable">{chosen.name}</bdi>
              <Button small variant="ghost" onClick={onClear}>
                Clear
              </Button>
            </p>
          )}
          {chosen?.result === null && <Loading inline text="Reading file..." />}
          <ErrorBox text={failure?.error ?? ''}>{failure?.detail && <p>{failure.detail}</p>}</ErrorBox>
        </div>
      </Panel>
      <Requirements />
    </div>
  );
}

/** Replays a log file of the visitor in the browser at /upload-replay, without sending it to the server. */
export function UploadReplayPage() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [position, setPosition] = useState(START);
  const openFile = async (file: File) => {
    setPosition(START);
    setChosen({ name: file.name, result: null });
    setChosen({ name: file.name, result: await readUpload(file) });
  };
  const clear = () => setChosen(null);
  const game = chosen?.result?.ok ? chosen.result.game : null;

  if (game === null) {
    return (
      <Page width="wide" title="Upload Replay" lead="Replay a hand of your own local run.">
        <Chooser chosen={chosen} onFile={(file) => void openFile(file)} onClear={clear} />
      </Page>
    );
  }
  return (
    <Page
      width="table"
      title={<span className="replay-title">POKER REPLAY</span>}
      tabTitle="Upload Replay"
      lead={<bdi>{chosen?.name}</bdi>}
      actions={
        <Button variant="secondary" onClick={clear}>
          Upload Another
        </Button>
      }
    >
      <ReplayViewer key={chosen?.name} game={game} position={position} onPosition={setPosition} />
    </Page>
  );
}
