import { type ChangeEvent, useState } from 'react';

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
