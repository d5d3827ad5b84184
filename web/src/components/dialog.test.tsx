// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { ConfirmDialog, Dialog } from './dialog.tsx';

afterEach(cleanup);

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} title="Quota" onClose={() => setOpen(false)} actions={<Button>Save</Button>}>
        <input aria-label="Submissions kept" />
      </Dialog>
    </>
  );
}

describe('a dialog', () => {
  const openIt = () => {
    render(<Opener />);
    const opener = screen.getByRole('button', { name: 'Open' });
    opener.focus();
    fireEvent.click(opener);
    return { opener, dialog: screen.getByRole('dialog', { name: 'Quota' }) };
  };

  it('is absent while closed, and labelled by its title while open', () => {
    render(<Opener />);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('dialog', { name: 'Quota' })).toHaveProperty('open', true);
  });
  it('closes on its button and on Escape, and returns the focus to its opener', () => {
    const { opener, dialog } = openIt();
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
    fireEvent.click(opener);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  it('keeps Tab inside, in both directions', () => {
    const { dialog } = openIt();
    const first = screen.getByRole('button', { name: 'Close' });
    const last = screen.getByRole('button', { name: 'Save' });
    last.focus();
    fireEvent.keyDown(dialog, { key: 'Tab' });
    expect(document.activeElement).toBe(first);
    fireEvent.keyDown(dialog, { key: 'Tab', shiftKey: true });
    expect(document.activeElement).toBe(last);
  });
});

describe('a confirmation', () => {
  const show = (props: { busy?: boolean; destructive?: boolean } = {}) => {
    const [onConfirm, onCancel] = [vi.fn(), vi.fn()];
    render(
      <ConfirmDialog open title="Delete job" confirmLabel="Delete" onConfirm={onConfirm} onCancel={onCancel} {...props}>
        <p>Are you sure?</p>
      </ConfirmDialog>,
    );
    return { onConfirm, onCancel, confirm: screen.getByRole('button', { name: 'Delete' }) as HTMLButtonElement };
  };

  it('calls the handlers of its two buttons', () => {
    const { onConfirm, onCancel, confirm } = show();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect([onConfirm.mock.calls.length, onCancel.mock.calls.length]).toEqual([0, 1]);
    fireEvent.click(confirm);
    expect(onConfirm).toHaveBeenCalledOnce();
  });
  it('gives the focus to the button that cancels', () => {
    show();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
  });
  it('is red if destructive, and cannot be confirmed twice', () => {
    expect(show().confirm.className).toContain('button-danger');
    cleanup();
    expect(show({ destructive: false }).confirm.className).toContain('button-primary');
    cleanup();
    expect(show({ busy: true }).confirm.disabled).toBe(true);
  });
});
