import { CopyButton } from './copy-button.tsx';
import './command-line.css';

/** A line for the terminal with a button that copies it. Long lines wrap. */
export function CommandLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="command-line cluster spread">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
