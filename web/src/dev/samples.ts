import { CONTROL_SAMPLES } from './control-samples.tsx';
import { DATA_SAMPLES } from './data-samples.tsx';
import { FEEDBACK_SAMPLES } from './feedback-samples.tsx';

/** The shared components that do not call the API. */
export const SAMPLES = [...CONTROL_SAMPLES, ...FEEDBACK_SAMPLES, ...DATA_SAMPLES];
