import { CopyButton } from './copy-button.tsx';
import './command-line.css';

/** Shows a shell command with a button that copies it. Long commands wrap. */
export function CommandLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="command-line cluster spread">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
