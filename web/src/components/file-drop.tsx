import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import './field.css';
import { Icon } from './icon.tsx';

type Props = {
  /** Like the `accept` attribute of an input: '.py,.txt'. */
  accept: string;
  multiple?: boolean;
  label: string;
  buttonLabel: string;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  children?: ReactNode;
};

/** Accepts dropped or picked files. The button makes picking usable by keyboard. */
export function FileDrop({ accept, multiple = false, label, buttonLabel, disabled = false, onFiles, children }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const addFiles = (list: FileList | null) => {
    if (list && list.length > 0 && !disabled) onFiles([...list]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the button inside
    <div
      className={over ? 'drop drop-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        addFiles(event.dataTransfer.files);
      }}
    >
      <Icon name="upload" />
      <p>{label}</p>
      <input
        ref={picker}
        className="visually-hidden"
        type="file"
        tabIndex={-1}
        aria-label={buttonLabel}
        accept={accept}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          addFiles(event.target.files);
          // The same file may be picked again after it was changed on disk.
          event.target.value = '';
        }}
      />
      <Button variant="secondary" disabled={disabled} onClick={() => picker.current?.click()}>
        {buttonLabel}
      </Button>
      {children}
    </div>
  );
}
