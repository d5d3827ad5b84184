import { CopyButton } from '../components/copy-button.tsx';
import { DataLicense } from '../components/data-license.tsx';
import { Dialog } from '../components/dialog.tsx';
import site from './site.json' with { type: 'json' };

export function CitationDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
