import { TextField } from '../../components/field.tsx';

/** Quotas of a user with their maximum. */
export const QUOTA_FIELDS = [
  { name: 'max_test_runs', label: 'Unfinished test runs', max: 100 },
  { name: 'max_test_runs_a_day', label: 'Test runs within 24 hours', max: 10_000 },
  { name: 'max_submissions', label: 'Submissions kept', max: 100 },
  { name: 'max_uploads_a_day', label: 'Uploads within 24 hours', max: 10_000 },
] as const;

export type QuotaName = (typeof QUOTA_FIELDS)[number]['name'];

type Props = {
  values: Readonly<Partial<Record<QuotaName, string>>>;
  /** 1 in the event's settings, 0 for a single user. */
  min: 0 | 1;
  /** The values that apply to empty fields. */
  placeholders?: Readonly<Record<QuotaName, number>> | undefined;
  onChange: (name: QuotaName, value: string) => void;
};

/** One number field for each quota. */
export function QuotaFields({ values, min, placeholders, onChange }: Props) {
  return QUOTA_FIELDS.map(({ name, label, max }) => (
    <TextField
      key={name}
      label={label}
      type="number"
      min={min}
      max={max}
      placeholder={placeholders?.[name].toString() ?? ''}
      value={values[name] ?? ''}
      onChange={(event) => onChange(name, event.target.value)}
    />
  ));
}
