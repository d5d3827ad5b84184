import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** Label of the safe button if 'Cancel' could be mistaken for the action. */
  keepLabel?: string;
  busy?: boolean;
  /** The action is not dangerous: its button is blue, not red. */
  calm?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks for confirmation of an action that is hard to undo. The safe button comes first and has the focus. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  keepLabel = 'Cancel',
  busy = false,
  calm = false,
  onConfirm,
  onCancel,
}: Props) {
  return (
    <Dialog
      open={open}
      title={title}
      onClose={onCancel}
      {...(calm ? {} : { tone: 'danger' as const })}
      actions={
        <>
          <Button variant="ghost" onClick={onCancel} autoFocus>
            {keepLabel}
          </Button>
          <Button variant={calm ? 'primary' : 'danger'} onClick={onConfirm} disabled={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
