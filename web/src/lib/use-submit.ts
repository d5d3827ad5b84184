import { useState } from 'react';
import { messageOf } from './api-error.ts';

/**
 * State of a form that is sent once at a time. `submit` shows the problem of the input, or else sends and shows the error that
 * `send` threw.
 */
export function useSubmit(explain: (error: unknown) => string = messageOf) {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (send: () => Promise<void>, problem = '') => {
    setError(problem);
    if (problem !== '') return;
    setBusy(true);
    try {
      await send();
    } catch (failure) {
      setError(explain(failure));
    } finally {
      setBusy(false);
    }
  };
  return { error, busy, submit, clearError: () => setError('') };
}
