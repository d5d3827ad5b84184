import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type Props = {
  open: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** Label of the button that cancels, for actions that 'Cancel' could be mistaken for. */
  cancelLabel?: string;
  busy?: boolean;
  /** Whether the action destroys something: its button is red, otherwise blue. Default: true. */
  destructive?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks for confirmation of an action that is hard to undo. The button that cancels comes first and has the focus. */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  busy = false,
  destructive = true,
  onConfirm,
  onCancel,
}: Props) {
  return (
    <Dialog
      open={open}
      title={title}
      onClose={onCancel}
      {...(destructive ? { tone: 'danger' as const } : {})}
      actions={
        <>
          <Button variant="ghost" onClick={onCancel} autoFocus>
            {cancelLabel}
          </Button>
          <Button variant={destructive ? 'danger' : 'primary'} onClick={onConfirm} disabled={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
