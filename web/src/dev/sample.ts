import type { ReactNode } from 'react';

/** A shared component in all of its states. `file`: of web/src/components, if it is not named as the component. */
export type Sample = { name: string; file?: string; states: string; content: ReactNode };
