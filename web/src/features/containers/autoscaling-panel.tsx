import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { QueryState } from '../../components/feedback.tsx';
import { Form, TextField } from '../../components/form.tsx';
import { Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { formatTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import type { Autoscaling } from '../../lib/types.ts';
import { autoscalingChange, type Bounds, readBounds, useAutoscaling } from './pool-rules.ts';

/** Switches autoscaling, edits its bounds and shows its current state. */
export function AutoscalingPanel() {
  const autoscaling = useAutoscaling();
  return (
    <Panel title="AUTOSCALING">
      <QueryState what="autoscaling" query={autoscaling} />
      {autoscaling.data && (
        <div className="stack">
          <p role="status">
            <strong>{STATE_TEXT[autoscaling.data.state]}</strong> {autoscaling.data.reason}
          </p>
          <AutoscalingForm saved={autoscaling.data} />
        </div>
      )}
    </Panel>
  );
}

const STATE_TEXT: Record<Autoscaling['state'], string> = {
  off: 'Off.',
  steady: 'On.',
  scaling: 'On, scaling.',
  waiting: 'On, waiting.',
  stopped: 'On, stopped.',
};

function AutoscalingForm({ saved }: { saved: Autoscaling }) {
  const client = useQueryClient();
  // The version shown when the edit began: the server refuses to overwrite a newer one.
  const [typed, setTyped] = useState<{ bounds: Bounds; version: number } | null>(null);
  const [error, setError] = useState('');
  const bounds = typed?.bounds ?? boundsOf(saved);
  const save = useMutation({
    mutationFn: (change: Partial<Autoscaling>) =>
      api.post('/docker/pool/autoscaling', { body: { ...change, expected_version: typed?.version ?? saved.version } }),
    onMutate: () => setError(''),
    onSuccess: (next) => {
      client.setQueryData(queryKeys.autoscaling, next);
      setTyped(null);
      toast.success(next.enabled ? 'Autoscaling is on.' : 'Autoscaling is off.');
      return client.invalidateQueries({ queryKey: queryKeys.scalingJobs });
    },
    // The input is kept, even if somebody else has saved meanwhile.
    onError: (failure) => {
      setError(`Failed to change autoscaling: ${messageOf(failure)}`);
      return client.invalidateQueries({ queryKey: queryKeys.autoscaling });
    },
  });

  const submit = (enabled: boolean) => {
    const read = readBounds(bounds, saved.largest_maximum);
    if (typeof read === 'string') setError(read);
    else save.mutate({ enabled, ...autoscalingChange(read, saved) });
  };
  const change = (part: Partial<Bounds>) =>
    setTyped({ bounds: { ...bounds, ...part }, version: typed?.version ?? saved.version });

  return (
    <Form onSubmit={() => submit(saved.enabled)} error={error}>
      <div className="field-grid">
        <TextField
          label="Minimum"
          type="number"
          inputMode="numeric"
          min={3}
          value={bounds.minimum}
          onChange={(event) => change({ minimum: event.target.value })}
        />
        <TextField
          label="Maximum"
          type="number"
          inputMode="numeric"
          min={3}
          max={saved.largest_maximum}
          hint={`At most ${saved.largest_maximum}`}
          value={bounds.maximum}
          onChange={(event) => change({ maximum: event.target.value })}
        />
        <TextField
          label="Play the backlog within"
          type="number"
          inputMode="numeric"
          min={10}
          hint="Seconds"
          value={bounds.drainSeconds}
          onChange={(event) => change({ drainSeconds: event.target.value })}
        />
      </div>
      <div className="cluster">
        <Button onClick={() => submit(!saved.enabled)} disabled={save.isPending}>
          {saved.enabled ? 'Switch off' : 'Switch on'}
        </Button>
        <Button type="submit" variant="secondary" disabled={save.isPending || typed === null}>
          {save.isPending ? 'Saving...' : 'Save bounds'}
        </Button>
        {typed && (
          <Button variant="secondary" onClick={() => setTyped(null)}>
            Discard
          </Button>
        )}
        {saved.updated_by && (
          <span className="muted">
            Last changed {formatTime(saved.updated_at)} by {saved.updated_by}
          </span>
        )}
      </div>
    </Form>
  );
}

const boundsOf = (saved: Autoscaling): Bounds => ({
  minimum: String(saved.minimum),
  maximum: String(saved.maximum),
  drainSeconds: String(saved.drain_seconds),
});
