import { Button } from './button.tsx';

type Props = {
  /** Name of the user who saved the newer version, if known. */
  by?: string | null | undefined;
  /** Plural noun for the content of the form, such as 'settings'. */
  what: string;
  /** Replaces the input with the newer version. */
  onLoad: () => void;
};

/** Above a form: somebody saved a newer version than the one that the form started from. */
export function NewerVersion({ by, what, onLoad }: Props) {
  return (
    <div className="cluster" role="status">
      <span>
        {by ?? 'Somebody else'} saved other {what} in the meantime. Your input is kept.
      </span>
      <Button small variant="ghost" onClick={onLoad}>
        Load saved version
      </Button>
    </div>
  );
}
