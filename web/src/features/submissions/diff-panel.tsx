import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DiffView, diffTexts } from '../../components/diff-view.tsx';
import { ErrorBox, Loading } from '../../components/feedback.tsx';
import { SelectField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { BOT_FILES, type BotFileName, fetchFile } from '../../lib/bot-files.ts';
import { formatTime } from '../../lib/format.ts';
import type { Submission } from '../../lib/types.ts';

function fileOf(submission: Submission, name: BotFileName): string {
  return name === 'player.py' ? submission.player_file : submission.package_file;
}

/** Shows the differences between two submissions. */
export function DiffPanel({ submissions }: { submissions: Submission[] }) {
  const [chosenOld, setOld] = useState('');
  const [chosenNew, setNew] = useState('');
  const [name, setName] = useState<BotFileName>('player.py');
  const byAge = [...submissions].sort((a, b) => a.created_at.localeCompare(b.created_at));
  const before = submissions.find((entry) => entry.id === chosenOld) ?? byAge.at(-2);
  const after = submissions.find((entry) => entry.id === chosenNew) ?? byAge.at(-1);
  if (!before || !after) return null;
  const options = submissions.map((entry, index) => (
    <option key={entry.id} value={entry.id}>
      Submission {index + 1}, {formatTime(entry.created_at)}
      {entry.final ? ' (Final)' : ''}
    </option>
  ));
  return (
    <Panel title="Compare submissions">
      <div className="stack">
        <div className="field-grid">
          <SelectField label="From" value={before.id} onChange={(event) => setOld(event.target.value)}>
            {options}
          </SelectField>
          <SelectField label="To" value={after.id} onChange={(event) => setNew(event.target.value)}>
            {options}
          </SelectField>
        </div>
        <Tabs
          label="Compared file"
          tabs={BOT_FILES.map((id) => ({ id, label: id }))}
          selected={name}
          onSelect={setName}
        >
          <FileDiff oldFile={fileOf(before, name)} newFile={fileOf(after, name)} />
        </Tabs>
      </div>
    </Panel>
  );
}

function FileDiff({ oldFile, newFile }: { oldFile: string; newFile: string }) {
  const diff = useQuery({
    queryKey: ['diff', oldFile, newFile],
    queryFn: async ({ signal }) => {
      const [before, after] = await Promise.all([fetchFile(oldFile, signal), fetchFile(newFile, signal)]);
      return diffTexts(before.file_data, after.file_data);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (diff.isPending) return <Loading inline />;
  if (diff.isError) return <ErrorBox text="Failed to fetch file contents." onRetry={() => void diff.refetch()} />;
  return <DiffView lines={diff.data} />;
}
