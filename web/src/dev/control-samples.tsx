import type { ReactNode } from 'react';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { Form, SubmitButton } from '../components/form.tsx';
import { ICON_NAMES, Icon } from '../components/icon.tsx';
import { toast } from '../components/toasts.tsx';
import { DialogSamples, FieldSamples, ModeSample } from './interactive-samples.tsx';

/** A shared component in all of its states. `file`: of web/src/components, if it is not named as the component. */
export type Sample = { name: string; file?: string; states: string; content: ReactNode };

const VARIANTS = ['primary', 'secondary', 'danger', 'ghost'] as const;

/** Buttons, badges, forms and dialogs, each in all of its states. */
export const CONTROL_SAMPLES: readonly Sample[] = [
  {
    name: 'button',
    states: 'Four variants, small, disabled, with an icon, as a link',
    content: (
      <>
        <div className="cluster">
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <ButtonLink to="/dev/components">a link</ButtonLink>
        </div>
        <div className="cluster">
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant} small disabled>
              disabled
            </Button>
          ))}
          <Button small iconOnly variant="ghost" aria-label="Close">
            <Icon name="close" />
          </Button>
        </div>
      </>
    ),
  },
  {
    name: 'icon',
    states: 'All icons',
    content: (
      <div className="cluster">
        {ICON_NAMES.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </div>
    ),
  },
  {
    name: 'badge',
    states: 'Six colours, and the status of a job',
    content: (
      <div className="cluster">
        {(['accent', 'green', 'yellow', 'red', 'cyan', 'grey'] as const).map((color) => (
          <Badge key={color} color={color}>
            {color}
          </Badge>
        ))}
        {['Pending', 'Running', 'Finished', 'Failed'].map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </div>
    ),
  },
  {
    name: 'form',
    states: 'With an error',
    content: (
      <Form onSubmit={() => toast.success('Saved.')} error="Please fill in all fields">
        <SubmitButton busy={false} label="Save" busyLabel="Saving..." />
      </Form>
    ),
  },
  {
    name: 'field',
    file: 'form',
    states: 'Text, several lines, choice, filter, search; hint, error, disabled',
    content: <FieldSamples />,
  },
  {
    name: 'file-drop',
    states: 'Ready, disabled',
    content: (
      <>
        <FileDrop label="Drop player.py here" buttonLabel="Choose files" accept=".py" onFiles={() => undefined} />
        <FileDrop label="Not now" buttonLabel="Choose a file" accept=".py" disabled onFiles={() => undefined} />
      </>
    ),
  },
  { name: 'mode-field', file: 'form', states: 'Classic, duplicate', content: <ModeSample /> },
  { name: 'dialog', states: 'Opens over the page', content: <DialogSamples /> },
  { name: 'confirm-dialog', file: 'dialog', states: 'Destructive, harmless: see the dialogs', content: null },
];
