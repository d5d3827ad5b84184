import { useState } from 'react';
import { logFailure } from '../lib/log.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const NOTICE_MS = 2_000;

type Props = { text: string; label: string; iconOnly?: boolean };

/** Copies the text and shows 'Copied' for two seconds. */
export function CopyButton({ text, label, iconOnly = false }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), NOTICE_MS);
  };
  return (
    <>
      <Button
        variant="ghost"
        small
        iconOnly={iconOnly}
        onClick={() => void copy()}
        {...(iconOnly ? { 'aria-label': label, title: copied ? 'Copied' : label } : {})}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        {!iconOnly && (copied ? 'Copied' : label)}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** Copies to the clipboard. Logs and returns false if the browser refuses (insecure origin, no permission). */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (copyBySelection(text)) return true;
    logFailure('Copying to the clipboard failed', error);
    return false;
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.cssText = 'position:fixed;opacity:0';
  // While a dialog is open, a selection outside it would be inert.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
