import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { CodeView } from '../components/code-view.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import {
  ChoiceField,
  type MatchMode,
  ModeField,
  SearchField,
  SelectField,
  TextAreaField,
  TextField,
} from '../components/form.tsx';
import { PageNumbers, Pagination } from '../components/pagination.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Roster } from '../components/user-picker.tsx';

const PLAYERS = ['deep-stack', 'river-rat', 'pot-counter'];

export function ModeSample() {
  const [mode, setMode] = useState<MatchMode>('classic');
  return <ModeField mode={mode} onMode={setMode} />;
}

export function DialogSamples() {
  const [open, setOpen] = useState<'plain' | 'destructive' | 'harmless' | null>(null);
  const close = () => setOpen(null);
  return (
    <div className="cluster">
      <Button onClick={() => setOpen('plain')}>Open a dialog</Button>
      <Button variant="danger" onClick={() => setOpen('destructive')}>
        Open a destructive confirmation
      </Button>
      <Button variant="secondary" onClick={() => setOpen('harmless')}>
        Open a harmless confirmation
      </Button>
      <Dialog open={open === 'plain'} title="A dialog" onClose={close} actions={<Button onClick={close}>Done</Button>}>
        <p>Tab stays inside, Escape closes, the focus returns to the button.</p>
      </Dialog>
      <ConfirmDialog
        open={open === 'destructive' || open === 'harmless'}
        destructive={open !== 'harmless'}
        title="Delete job"
        confirmLabel="Delete job"
        onConfirm={close}
        onCancel={close}
      >
        <p>Are you sure you want to delete this job?</p>
      </ConfirmDialog>
    </div>
  );
}

export function FieldSamples() {
  const [choice, setChoice] = useState<'' | 'public'>('');
  const [search, setSearch] = useState('');
  return (
    <div className="field-grid">
      <TextField label="Text" defaultValue="ada-lovelace" hint="3 to 32 letters, digits, - and _" />
      <TextField label="With an error" defaultValue="x" error="Must be 3 to 32 characters" />
      <TextField label="Disabled" defaultValue="ada-lovelace" disabled />
      <TextAreaField label="Several lines" rows={3} defaultValue="Writes bots that count." />
      <SelectField label="One of some" defaultValue="b">
        <option value="a">A</option>
        <option value="b">B</option>
      </SelectField>
      <ChoiceField label="A filter" value={choice} choices={{ '': 'All', public: 'Public' }} onChoose={setChoice} />
      <SearchField label="A search" value={search} onSearch={setSearch} placeholder="Username or name" />
    </div>
  );
}

export function PageSamples() {
  const [page, setPage] = useState(7);
  return (
    <>
      <Pagination label="Pages of samples" page={page} totalPages={12} onPage={setPage} />
      <PageNumbers noun="users" page={page} pageSize={25} total={281} onPage={setPage} />
    </>
  );
}

export function TabSamples() {
  const [tab, setTab] = useState<'player.py' | 'requirements.txt'>('player.py');
  const tabs = [
    { id: 'player.py' as const, label: 'player.py' },
    { id: 'requirements.txt' as const, label: 'requirements.txt' },
  ];
  return (
    <Tabs label="Files" tabs={tabs} selected={tab} onSelect={setTab}>
      <CodeView text={tab === 'player.py' ? 'class SimplePlayer(Bot):\n    pass\n' : 'numpy\n'} label={tab} />
    </Tabs>
  );
}

export function RosterSample() {
  const [roster, setRoster] = useState(PLAYERS);
  return <Roster roster={roster} seats={6} onRoster={setRoster} />;
}
