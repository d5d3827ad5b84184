import { saveSubmissionFile, useSubmissionFile } from '../lib/submission-files.ts';
import { Button } from './button.tsx';
import { CodeView } from './code-view.tsx';
import { ErrorBox } from './error-box.tsx';
import { Icon } from './icon.tsx';
import { Loading } from './loading.tsx';
import { toast } from './toast-store.ts';
import './file-pane.css';

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
