import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import type { Profile } from '../../lib/types.ts';
import { checkSession } from '../../session/session.ts';

type Fields = Record<'name' | 'github' | 'discord_username' | 'about', string>;

export function ProfileForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<Fields>({
    name: profile.name ?? '',
    github: profile.github ?? '',
    discord_username: profile.discord_username ?? '',
    about: profile.about ?? '',
  });
  const [error, setError] = useState('');
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const bind = (name: keyof Fields) => ({
    name,
    value: fields[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setFields({ ...fields, [name]: event.target.value }),
    ...(fieldErrors[name] ? { error: fieldErrors[name] } : {}),
  });

  const save = async () => {
    setBusy(true);
    setError('');
    setFieldErrors({});
    try {
      await api.post('/user/update', { body: fields });
      toast.success('Profile saved.');
      await Promise.all([client.invalidateQueries({ queryKey: ['profile'] }), checkSession()]);
      onDone();
    } catch (failure) {
      setError(`Failed to save the profile: ${messageOf(failure)}`);
      if (isApiError(failure)) {
        setFieldErrors(
          Object.fromEntries(failure.errors.map((entry) => [entry.field.split('.').at(-1), entry.message])),
        );
      }
    } finally {
      setBusy(false);
    }
  };

  return (
    <Form onSubmit={save} error={error}>
      <TextField label="Name" autoComplete="name" autoFocus {...bind('name')} />
      <TextField label="GitHub" autoCapitalize="none" {...bind('github')} />
      <TextField label="Discord" autoCapitalize="none" {...bind('discord_username')} />
      <TextAreaField label="About" rows={4} {...bind('about')} />
      <div className="cluster">
        <Button type="submit" disabled={busy}>
          {busy ? 'Saving...' : 'Save'}
        </Button>
        <Button variant="ghost" onClick={onDone} disabled={busy}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
