import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeView } from '../../components/code-view.tsx';
import { DiffView, diffTexts } from '../../components/diff-view.tsx';
import { QueryState } from '../../components/feedback.tsx';
import { api } from '../../lib/api.ts';
import type { RoundCode } from '../../lib/types.ts';

/** Loads on request the code of the first round with code, and what each later one has changed. */
export function AuthoringCode({ submissionId }: { submissionId: string }) {
  const [open, setOpen] = useState(false);
  const code = useQuery({
    queryKey: ['authoring-code', submissionId],
    queryFn: ({ signal }) => api.get('/submission/{id}/authoring/code', { params: { id: submissionId }, signal }),
    enabled: open,
  });
  if (!open) {
    return (
      <div>
        <Button variant="secondary" small onClick={() => setOpen(true)}>
          Show the code, round by round
        </Button>
      </div>
    );
  }
  const rounds = code.data?.rounds ?? [];
  return (
    <>
      <QueryState what="the code" query={code} />
      {rounds.map((one, index) => (
        <details key={one.round} open={index === 0}>
          <summary>
            Round {one.round}
            {index > 0 && `: what changed since round ${rounds[index - 1]?.round}`}
          </summary>
          <RoundView code={one} before={rounds[index - 1]} />
        </details>
      ))}
    </>
  );
}

function RoundView({ code, before }: { code: RoundCode; before: RoundCode | undefined }) {
  const files = [
    { name: 'player.py', text: code.player, old: before?.player },
    { name: 'requirements.txt', text: code.requirements, old: before?.requirements },
  ];
  return files
    .filter(({ name, text, old }) => name === 'player.py' || text.trim() !== (old ?? '').trim())
    .map(({ name, text, old }) => {
      const label = `${name} of round ${code.round}`;
      return (
        <div key={name}>
          <p className="muted">{name}</p>
          {old === undefined ? (
            <CodeView text={text} label={label} />
          ) : (
            <DiffView lines={diffTexts(old, text)} label={label} />
          )}
        </div>
      );
    });
}
