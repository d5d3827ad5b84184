import { Dialog } from '../components/dialog.tsx';
import { type Preferences, setPreferences, usePreferences } from './preferences.ts';
import { BIG_POT_BIG_BLINDS } from './replay-controls.tsx';
import './settings-dialog.css';

type Switch = { name: 'fourColourDeck' | 'bigBlinds' | 'sound' | 'shortcuts'; label: string };

const SWITCHES: Switch[] = [
  { name: 'fourColourDeck', label: 'Four-colour deck: diamonds blue, clubs green' },
  { name: 'bigBlinds', label: 'Amounts in big blinds' },
  { name: 'sound', label: 'Sound' },
  { name: 'shortcuts', label: 'Keyboard shortcuts' },
];

const KEYS: [keys: string[], what: string][] = [
  [['Space'], 'Play or pause'],
  [['←', '→'], 'Previous or next step'],
  [['Home', 'End'], 'First or last step'],
  [['Shift + ←', 'Shift + →'], 'Previous or next hand'],
  [['?'], 'This list'],
];

function Switches({ preferences }: { preferences: Preferences }) {
  return (
    <ul className="table-switches">
      {SWITCHES.map(({ name, label }) => (
        <li key={name}>
          <label>
            <input
              type="checkbox"
              checked={preferences[name]}
              onChange={(event) => setPreferences({ [name]: event.target.checked })}
            />
            {label}
          </label>
        </li>
      ))}
    </ul>
  );
}

/** Edits the settings of the card table, stored in this browser, and explains the keys and the scrubber's marks. */
export function SettingsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title="Table settings and keys" onClose={onClose}>
      <div className="stack">
        <Switches preferences={usePreferences()} />
        <h3>Keys</h3>
        <dl className="key-list">
          {KEYS.map(([keys, what]) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <h3>Marks above the slider</h3>
        <ul className="mark-list">
          <li>
            <span className="mark-street">F</span> First letter of a street: flop, turn, river
          </li>
          <li>
            <span className="mark-all-in" /> A player is all-in
          </li>
          <li>
            <span className="mark-big-pot" /> The pot reaches {BIG_POT_BIG_BLINDS} big blinds
          </li>
        </ul>
      </div>
    </Dialog>
  );
}
