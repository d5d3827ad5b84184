import type { ReactNode } from 'react';

/** A shared component by its file, in all of its states. */
export type Sample = { file: string; states: string; content: ReactNode };
