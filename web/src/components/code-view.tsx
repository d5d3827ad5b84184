import './code-view.css';
import { saveSubmissionFile, useSubmissionFile } from '../lib/bot-files.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { ErrorBox, Loading } from './feedback.tsx';
import { Icon } from './icon.tsx';
import { toast } from './toasts.tsx';

const SHOWN_LINES = 3_000;

/** Shows a file's text with line numbers, at most 3,000 lines. */
export function CodeView({ text, label }: { text: string; label: string }) {
  const lines = text.split(/\r\n|\r|\n/);
  const shown = lines.slice(0, SHOWN_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="code" tabIndex={0} aria-label={label}>
        <code>
          {shown.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their position
            <span key={index}>{line}</span>
          ))}
        </code>
      </section>
      {lines.length > SHOWN_LINES && (
        <p className="muted">
          {lines.length - SHOWN_LINES} more lines are not shown. Download the file to see all of it.
        </p>
      )}
    </>
  );
}

/** Shows the text of a stored file, with a download button. */
export function FilePane({ fileId, fileName }: { fileId: string; fileName: string }) {
  const file = useSubmissionFile(fileId);
  const save = async () => {
    try {
      await saveSubmissionFile(fileId, fileName);
    } catch {
      toast.error('Failed to fetch file contents.');
    }
  };
  return (
    <section className="pane" aria-label={fileName}>
      <div className="cluster spread">
        <h3>{fileName}</h3>
        <Button variant="ghost" small onClick={() => void save()} aria-label={`Download ${fileName}`}>
          <Icon name="download" />
          Download
        </Button>
      </div>
      {file.isPending && <Loading inline />}
      {file.isError && <ErrorBox text="Failed to fetch file contents." onRetry={() => void file.refetch()} />}
      {file.data &&
        (file.data.file_data === '' ? (
          <p className="muted">The file is empty.</p>
        ) : (
          <CodeView text={file.data.file_data} label={`Contents of ${fileName}`} />
        ))}
    </section>
  );
}

/** Shows a shell command with a button that copies it. Long commands wrap. */
export function CommandLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="command-line cluster spread">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
