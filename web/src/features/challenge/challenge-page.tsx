import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Button } from '../../components/button.tsx';
import { QueryState } from '../../components/feedback.tsx';
import { ChoiceField, Form, SearchField, SubmitButton, TextField } from '../../components/form.tsx';
import { BackLink, Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toasts.tsx';
import { Roster, toggleCandidate } from '../../components/user-picker.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { usePagedSearch } from '../../lib/paged-list.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { useSession } from '../../session/session.ts';

const MAX_OPPONENTS = 5;
const SHOWN = 8;
const LADDER_PAGE = 20;
const FORMATS = {
  set: { label: 'Set: six rotations', hands: '50', max: 200 },
  classic: { label: 'Classic: one match', hands: '100', max: 1000 },
};
type Format = keyof typeof FORMATS;
const LABELS = { set: FORMATS.set.label, classic: FORMATS.classic.label };
const FILLS = { house: 'House bots', neighbours: 'My neighbours on the ladder' };

/** Shows /challenge: the user chooses opponents (`?to=` is the first) and what their bots play. */
export function ChallengePage() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const client = useQueryClient();
  const navigate = useNavigate();
  const me = user?.username ?? '';
  const [opponents, setOpponents] = useState(() => search.getAll('to').filter((name) => name !== '' && name !== me));
  const [format, setFormat] = useState<Format>('set');
  const [hands, setHands] = useState(FORMATS.set.hands);
  const [fill, setFill] = useState<keyof typeof FILLS>('house');
  const [error, setError] = useState('');
  const problem = problemOf(opponents, format, hands);
  const send = useMutation({
    mutationFn: () => api.post('/challenges', { body: { opponents, format, num_rounds: Number(hands), fill } }),
    onSuccess: async ({ state, reason }) => {
      if (state === 'ended') return setError(`It is not played. ${reason}`);
      toast.success(
        state === 'waiting' ? 'Challenge sent. It waits for the answers.' : 'Challenge accepted and queued.',
      );
      await client.invalidateQueries({ queryKey: queryKeys.challenges });
      await client.invalidateQueries({ queryKey: queryKeys.ownJobs });
      await navigate('/dashboard');
    },
    onError: (failure) => setError(messageOf(failure)),
  });
  return (
    <Page
      title="Challenge"
      lead="Your final submission meets the bots that you choose. The result is not rated, and only its players see it."
      before={<BackLink to="/dashboard">Dashboard</BackLink>}
    >
      <div className="columns columns-lead">
        <Panel title="Opponents">
          <PlayerSearch
            me={me}
            chosen={opponents}
            onToggle={(name) => setOpponents(toggleCandidate(opponents, name, MAX_OPPONENTS))}
          />
        </Panel>
        <Panel title="Match">
          <Form
            error={error}
            onSubmit={() => {
              setError(problem);
              if (problem === '') send.mutate();
            }}
          >
            <section aria-label="Chosen opponents">
              <Roster roster={opponents} seats={Math.max(1, opponents.length)} onRoster={setOpponents} />
            </section>
            <ChoiceField
              label="Format"
              value={format}
              choices={LABELS}
              onChoose={(next) => {
                setFormat(next);
                setHands(FORMATS[next].hands);
              }}
            />
            <TextField
              label={format === 'set' ? 'Hands of each of the six rotations' : 'Hands'}
              type="number"
              min={1}
              max={FORMATS[format].max}
              value={hands}
              onChange={(event) => setHands(event.target.value)}
              hint={`1 to ${FORMATS[format].max.toLocaleString('en-US')}. ${format === 'set' ? 'The same cards in every seat, with equal stacks in each hand.' : 'Stacks are carried from hand to hand.'}`}
            />
            <ChoiceField label="Other seats" value={fill} choices={FILLS} onChoose={setFill} />
            <SubmitButton busy={send.isPending} label="Send challenge" busyLabel="Sending..." />
          </Form>
        </Panel>
      </div>
    </Page>
  );
}

/** Returns why the challenge cannot be sent; '': it can. */
export function problemOf(opponents: readonly string[], format: Format, hands: string): string {
  const { max } = FORMATS[format];
  if (opponents.length === 0) return 'Choose at least one opponent.';
  const count = Number(hands);
  if (hands.trim() !== '' && Number.isInteger(count) && count >= 1 && count <= max) return '';
  return `Choose 1 to ${max.toLocaleString('en-US')} hands.`;
}

type SearchProps = { me: string; chosen: readonly string[]; onToggle: (name: string) => void };

/** Finds players by name; without a name it shows the user's neighbours on the ladder. */
function PlayerSearch({ me, chosen, onToggle }: SearchProps) {
  const { filters, query, change } = usePagedSearch({ q: '' });
  const q = query.q.trim();
  const found = useQuery({
    queryKey: queryKeys.opponents(q),
    queryFn: ({ signal }) => (q === '' ? neighboursOf(me, signal) : searchPlayers(q, signal)),
    staleTime: 60_000,
  });
  const names = (found.data ?? []).filter((name) => name !== me).slice(0, SHOWN);
  return (
    <div className="stack">
      <SearchField
        label="Search players"
        placeholder="Username or name"
        value={filters.q}
        onSearch={(next) => change({ q: next })}
      />
      <h3>{q === '' ? 'My neighbours on the ladder' : 'Players found'}</h3>
      <QueryState what="players" query={found} />
      {found.data && names.length === 0 && (
        <p className="muted">{q === '' ? 'Nobody is on the ladder yet. Search for a name.' : 'No player found.'}</p>
      )}
      <div className="cluster">
        {names.map((name) => {
          const isChosen = chosen.includes(name);
          return (
            <Button
              key={name}
              small
              variant={isChosen ? 'secondary' : 'ghost'}
              aria-pressed={isChosen}
              disabled={!isChosen && chosen.length >= MAX_OPPONENTS}
              onClick={() => onToggle(name)}
            >
              {name}
            </Button>
          );
        })}
      </div>
    </div>
  );
}

async function searchPlayers(q: string, signal: AbortSignal): Promise<string[]> {
  const { items } = await api.getList('/user/search', { query: { q, page_size: SHOWN + 1 }, signal });
  return items.map(({ username }) => username);
}

/** Returns the players nearest to the user on the ladder; without a place there, the first ones. */
async function neighboursOf(me: string, signal: AbortSignal): Promise<string[]> {
  const { entry } = await api.get('/ladder/{username}', { params: { username: me }, signal });
  const page = entry === null ? 1 : Math.ceil(entry.rank / LADDER_PAGE);
  const { entries } = await api.get('/ladder', { query: { page, page_size: LADDER_PAGE }, signal });
  const away = (rank: number) => Math.abs(rank - (entry?.rank ?? 1));
  return entries
    .filter(({ house, paused }) => !house && !paused)
    .sort((a, b) => away(a.rank) - away(b.rank))
    .map(({ username }) => username);
}
