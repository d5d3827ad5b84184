import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../components/copy-button.tsx';
import { DataLicense } from '../components/data-license.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useAppConfig } from '../lib/app-config.ts';
import { setTheme, type Theme, useTheme } from '../lib/theme.ts';
import site from './site.json' with { type: 'json' };

const MOTION_KEY = 'husky.motion';

function useMotionSwitch() {
  const [on, setOn] = useState(() => localStorage.getItem(MOTION_KEY) !== 'off');
  useEffect(() => {
    document.documentElement.dataset.motion = on ? 'on' : 'off';
    localStorage.setItem(MOTION_KEY, on ? 'on' : 'off');
  }, [on]);
  return { on, toggle: () => setOn(!on) };
}

export function Footer() {
  const { links } = useAppConfig();
  const [citing, setCiting] = useState(false);
  const motion = useMotionSwitch();
  const theme = useTheme();
  return (
    <footer className="footer">
      <div className="footer-inner">
        <p>Husky Hold'em Bench · official pokerbot tournament v2.5</p>
        <ul className="footer-links">
          <li>
            <Link to="/about">About</Link>
          </li>
          <li>
            <Link to="/bots">How to write a bot</Link>
          </li>
          <li>
            <Link to="/kit">Local kit</Link>
          </li>
          <li>
            <Link to="/fairness">Fair cards</Link>
          </li>
          <li>
            <a href={links.source || site.links.source} rel="noopener">
              Source code
            </a>
          </li>
          <li>
            {links.dataset ? (
              <a href={links.dataset} rel="noopener">
                Dataset
              </a>
            ) : (
              <Link to={site.links.dataset}>Dataset</Link>
            )}
          </li>
          <li>
            <button type="button" onClick={() => setCiting(true)} aria-haspopup="dialog">
              Cite this work
            </button>
          </li>
          <li>
            <button type="button" onClick={motion.toggle}>
              {motion.on ? 'Pause background' : 'Animate background'}
            </button>
          </li>
          <li>
            <label className="theme-choice">
              Theme
              <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
                <option value="system">System</option>
                <option value="light">Light</option>
                <option value="dark">Dark</option>
              </select>
            </label>
          </li>
        </ul>
      </div>
      <CitationDialog open={citing} onClose={() => setCiting(false)} />
    </footer>
  );
}

function CitationDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const citation = site.citation.join('\n');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Cite this work"
      actions={<CopyButton text={citation} label="Copy citation" />}
    >
      <pre className="citation">{citation}</pre>
      <p>
        <DataLicense /> Each export has its own <code>CITATION.cff</code>.
      </p>
    </Dialog>
  );
}
