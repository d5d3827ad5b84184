import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../lib/api.ts';
import { isApiError, messageOf } from '../lib/api-error.ts';
import { useAppConfig } from '../lib/app-config.ts';
import {
  BOT_FILES,
  type BotFileName,
  checkBotFile,
  decodeSource,
  type Finding,
  isBotFileName,
  MAX_FILE_BYTES,
  templates,
} from '../lib/bot-files.ts';
import { SUBMIT_COOLDOWN_S, useCooldown } from '../lib/cooldown.ts';
import { formatBytes } from '../lib/format.ts';
import { queryKeys } from '../lib/query-keys.ts';
import './bot-upload.css';
import { Button } from './button.tsx';
import { CodeView } from './code-view.tsx';
import { ErrorBox, FreezeNote } from './feedback.tsx';
import { FileDrop } from './file-drop.tsx';
import { SelectField } from './form.tsx';
import { Icon } from './icon.tsx';
import { Tabs } from './tabs.tsx';

/** `pick`: grows with each file. */
type PickedFile = { file: File; text: string; findings: Finding[]; pick: number };
type PickedFiles = Partial<Record<BotFileName, PickedFile>>;

let picks = 0;

async function read(file: File, name: BotFileName): Promise<PickedFile> {
  // A file beyond the limit is refused, so it is not read completely.
  const bytes = new Uint8Array(await file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer());
  return { file, text: decodeSource(bytes) ?? '', findings: checkBotFile(name, bytes), pick: ++picks };
}

/** Keeps the two files of an upload. Files are recognised by their exact names and checked at once; others are ignored. */
function useBotFiles() {
  const [picked, setPicked] = useState<PickedFiles>({});
  const [ignored, setIgnored] = useState<string[]>([]);

  const addFiles = async (files: File[]) => {
    const found: PickedFiles = {};
    for (const file of files) {
      if (isBotFileName(file.name)) found[file.name] = await read(file, file.name);
    }
    setIgnored(files.filter((file) => !isBotFileName(file.name)).map((file) => file.name));
    setPicked((before) => ({ ...before, ...found }));
  };
  const remove = (name: BotFileName) => setPicked(({ [name]: _removed, ...kept }) => kept);
  const clear = () => {
    setPicked({});
    setIgnored([]);
  };
  const findings = BOT_FILES.flatMap((name) => picked[name]?.findings ?? []);
  return { picked, ignored, findings, addFiles, remove, clear };
}

const SUCCESS_SHOWN_MS = 3_000;

type Props = {
  /** Names the cooldown that survives a reload. */
  cooldownName: string;
  missingText: string;
  submitLabel: string;
  /** Returns the server's warnings. */
  upload: (player: File, requirements: File) => Promise<readonly string[]>;
};

/** Uploads a bot's two files, chosen by drop, picker or template, after a check and a preview. */
export function BotUpload({ cooldownName, missingText, submitLabel, upload }: Props) {
  const files = useBotFiles();
  const cooldown = useCooldown(cooldownName, SUBMIT_COOLDOWN_S);
  const { frozen } = useAppConfig();
  const noteId = useId();
  const [state, setState] = useState<'idle' | 'submitting' | 'success' | 'error'>('idle');
  const [error, setError] = useState('');
  const [warnings, setWarnings] = useState<readonly string[]>([]);

  const submit = async () => {
    const player = files.picked['player.py']?.file;
    const requirements = files.picked['requirements.txt']?.file;
    const blocked = files.findings.find((finding) => finding.level === 'error');
    if (!player || !requirements) return fail(missingText);
    if (blocked) return fail(blocked.text);
    setState('submitting');
    setError('');
    setWarnings([]);
    try {
      setWarnings(await upload(player, requirements));
      files.clear();
      cooldown.start();
      setState('success');
      setTimeout(() => setState('idle'), SUCCESS_SHOWN_MS);
    } catch (failure) {
      if (isApiError(failure, 429)) cooldown.start(failure.retryAfter);
      fail(`Failed to upload submission. Error: ${messageOf(failure)}`);
    }
  };
  const fail = (text: string) => {
    setState('error');
    setError(text);
  };

  const addFiles = (list: File[]) => {
    setError('');
    void files.addFiles(list);
  };

  const waiting = cooldown.left > 0;
  let label = submitLabel;
  if (state === 'submitting') label = 'Submitting...';
  else if (state === 'success') label = 'Submitted successfully';
  else if (waiting) label = `Wait ${cooldown.left}s`;

  return (
    <form
      className="bot-upload"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <FileDrop
        accept=".py,.txt"
        multiple
        label="Drop player.py and requirements.txt here"
        buttonLabel="Choose files"
        disabled={state === 'submitting'}
        onFiles={addFiles}
      />
      {templates.length > 0 && <TemplatePicker onFiles={addFiles} />}
      <PickedList picked={files.picked} onRemove={files.remove} />
      {files.ignored.length > 0 && (
        <p className="muted" role="status">
          Ignored: {files.ignored.join(', ')}. Only files named player.py and requirements.txt are accepted.
        </p>
      )}
      <Findings files={files} />
      <Preview picked={files.picked} />
      <ErrorBox text={error} />
      <FindingList label="Warnings" findings={warnings.map((text) => ({ level: 'warning', text }))} />
      <div className="cluster">
        <Button
          type="submit"
          disabled={state === 'submitting' || waiting || frozen === true}
          aria-describedby={frozen ? noteId : undefined}
        >
          {label}
        </Button>
        <FreezeNote id={noteId} />
        {waiting && <span className="muted">Please wait {cooldown.left}s before submitting again</span>}
        <span className="visually-hidden" role="status">
          {state === 'success' ? 'Submitted successfully' : ''}
        </span>
      </div>
    </form>
  );
}

function TemplatePicker({ onFiles }: { onFiles: (files: File[]) => void }) {
  const choose = async (name: string) => {
    const template = templates.find((entry) => entry.name === name);
    if (!template) return;
    const { player, requirements } = await template.load();
    onFiles([new File([player], 'player.py'), new File([requirements], 'requirements.txt')]);
  };
  return (
    <SelectField label="Or start from a template" value="" onChange={(event) => void choose(event.target.value)}>
      <option value="">Choose a template…</option>
      {templates.map((template) => (
        <option key={template.name} value={template.name}>
          {template.title}
        </option>
      ))}
    </SelectField>
  );
}

function PickedList({ picked, onRemove }: { picked: PickedFiles; onRemove: (name: BotFileName) => void }) {
  return (
    <ul className="bot-files">
      {BOT_FILES.map((name) => {
        const entry = picked[name];
        return (
          <li key={name} className={entry ? 'chosen-file bot-file bot-file-ready' : 'chosen-file bot-file'}>
            <span className="bot-file-name">
              <span>{name}</span>
              <small>{entry ? formatBytes(entry.file.size) : 'not chosen'}</small>
            </span>
            {entry && (
              <Button variant="ghost" small iconOnly aria-label={`Remove ${name}`} onClick={() => onRemove(name)}>
                <Icon name="close" />
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Shows what the server would refuse or warn of, as soon as both files are chosen. */
function Findings({ files: { picked, findings } }: { files: ReturnType<typeof useBotFiles> }) {
  const chosen = BOT_FILES.flatMap((name) => picked[name] ?? []);
  const check = useQuery({
    queryKey: queryKeys.botCheck(chosen.map(({ pick }) => pick)),
    queryFn: ({ signal }) => {
      const form = new FormData();
      for (const { file } of chosen) form.set(file.name === 'player.py' ? 'playerFile' : 'requirementsFile', file);
      return api.post('/submission/check', { body: form, signal });
    },
    enabled: chosen.length === BOT_FILES.length && findings.length === 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { problem, warnings = [] } = check.data ?? {};
  const found: Finding[] = [
    ...findings,
    ...(problem ? [{ level: 'error' as const, text: problem }] : []),
    ...warnings.map((text) => ({ level: 'warning' as const, text })),
  ];
  const state = check.isFetching
    ? 'Checking the files…'
    : check.isError
      ? 'The files are checked when you upload them.'
      : '';
  return (
    <>
      <FindingList label="File check" findings={found} isRight={check.isSuccess && found.length === 0} />
      {state !== '' && <p className="muted">{state}</p>}
    </>
  );
}

type FindingListProps = { label: string; findings: readonly Finding[]; isRight?: boolean };

function FindingList({ label, findings, isRight = false }: FindingListProps) {
  return (
    <ul className="findings" aria-live="polite" aria-label={label}>
      {findings.map((finding) => (
        <li key={finding.text} className={`finding-${finding.level}`}>
          {finding.level === 'error' ? 'Error: ' : 'Warning: '}
          {finding.text}
        </li>
      ))}
      {isRight && <li className="finding-ok">The files look right.</li>}
    </ul>
  );
}

function Preview({ picked }: { picked: PickedFiles }) {
  const id = useId();
  const names = BOT_FILES.filter((name) => picked[name]);
  const [chosen, setChosen] = useState<BotFileName>('player.py');
  const selected = names.includes(chosen) ? chosen : names[0];
  if (selected === undefined) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="visually-hidden">
        Preview
      </h3>
      <Tabs
        label="File preview"
        tabs={names.map((name) => ({ id: name, label: name }))}
        selected={selected}
        onSelect={setChosen}
      >
        <CodeView text={picked[selected]?.text ?? ''} label={`Preview of ${selected}`} />
      </Tabs>
    </section>
  );
}
