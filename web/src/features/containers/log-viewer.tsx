import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { ErrorBox } from '../../components/feedback.tsx';
import { ChoiceField, SearchField, SelectField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { detailOf } from '../../lib/api-error.ts';
import { saveText } from '../../lib/download.ts';
import { ContainerList, ContainerWaits } from './container-list.tsx';
import { countStates, findContainers, useContainers } from './pool-rules.ts';

/** Maximum number of options: more would slow the browser's menu down. The list has all. */
const MAX_OPTIONS = 100;

const STATES = {
  '': 'All',
  idle: 'Idle',
  acquired: 'Acquired',
  active: 'Active',
  starting: 'Starting',
  stopping: 'Stopping',
};

/** Lists the runners by search and state, and shows the log of one. */
export function LogViewer() {
  const containers = useContainers();
  const [port, setPort] = useState('');
  const [search, setSearch] = useState('');
  const [state, setState] = useState<keyof typeof STATES>('');
  const log = useMutation({
    mutationFn: (chosenPort: string) => api.get('/docker/game-log/{port}', { params: { port: chosenPort } }),
    onError: (error) => toast.error(`Failed to fetch log. ${detailOf(error, '')}`.trim()),
  });

  const fetchLog = () => {
    if (port === '') toast.error('Please select a container.');
    else log.mutate(port);
  };
  const content = log.data?.log_content ?? '';
  const all = containers.data ?? [];
  const found = findContainers(all, search).filter((container) => state === '' || container.state === state);
  const first = found.slice(0, MAX_OPTIONS);
  // The selected container is always offered.
  const options = [
    ...all.filter((container) => String(container.port) === port && !first.includes(container)),
    ...first,
  ];
  const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;

  return (
    <Panel title="CONTAINER LOG VIEWER">
      <div className="stack">
        {containers.isError && (
          <ErrorBox text="Failed to fetch containers." onRetry={() => void containers.refetch()} />
        )}
        <div className="field-grid">
          <SearchField label="Search" value={search} onSearch={setSearch} />
          <ChoiceField label="State" value={state} choices={STATES} onChoose={setState} />
        </div>
        <p className="muted" role="status">
          {found.length === 0 ? 'No container matches.' : countStates(found)}
        </p>
        <ContainerWaits containers={found} />
        <ContainerList
          containers={found}
          chosen={port}
          onChoose={(chosenPort) => {
            setPort(chosenPort);
            log.mutate(chosenPort);
          }}
        />
        <SelectField label="Container" value={port} onChange={(event) => setPort(event.target.value)}>
          <option value="">Select a container…</option>
          {options.map((container) => (
            <option key={container.container_name} value={String(container.port)}>
              {container.container_name} (port {container.port}, {container.state})
            </option>
          ))}
        </SelectField>
        <div className="cluster">
          <Button onClick={fetchLog} disabled={log.isPending}>
            {log.isPending ? 'Fetching...' : 'Fetch'}
          </Button>
          <Button
            variant="secondary"
            disabled={content === ''}
            onClick={() => saveText(content, `${log.data?.container_name ?? 'container'}.log`)}
          >
            Download
          </Button>
          <span className="muted" role="status">
            {log.data ? `${lines} lines` : ''}
          </span>
        </div>
        {log.data &&
          (content === '' ? (
            <p className="muted">The log is empty.</p>
          ) : (
            <CodeView text={content} label="Container log" />
          ))}
      </div>
    </Panel>
  );
}
