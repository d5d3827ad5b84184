import { useState } from 'react';
import { copyText } from '../lib/clipboard.ts';
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
