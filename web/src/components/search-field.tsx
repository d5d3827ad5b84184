import { TextField } from './field.tsx';

type Props = { label: string; value: string; onSearch: (text: string) => void; placeholder?: string };

export function SearchField({ onSearch, ...field }: Props) {
  return <TextField type="search" {...field} onChange={(event) => onSearch(event.target.value)} />;
}
