import { type ChangeEvent, useState } from 'react';
import { messageOf } from './api-error.ts';

/** Keeps the texts of a form. `bind` returns the props `value` and `onChange` of a field. */
export function useFields<Fields extends Readonly<Record<string, string>>>(start: Fields) {
  const [fields, setFields] = useState(start);
  const bind = (name: keyof Fields & string) => ({
    value: fields[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setFields((before) => ({ ...before, [name]: event.target.value })),
  });
  return { fields, setFields, bind };
}

/**
 * Holds a form's error and whether it is being sent. `submit` shows `problem` (what is wrong with the input) if it is not '';
 * otherwise it calls `send` and shows the error that `send` throws.
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
