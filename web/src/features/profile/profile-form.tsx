import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Form, SubmitButton, TextAreaField, TextField } from '../../components/form.tsx';
import { toast } from '../../components/toasts.tsx';
import { api, type RequestOf } from '../../lib/api.ts';
import { isApiError, messageOf } from '../../lib/api-error.ts';
import { useFields } from '../../lib/forms.ts';
import type { Profile } from '../../lib/types.ts';
import { checkSession } from '../../session/session.ts';

export function ProfileForm({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const client = useQueryClient();
  const { fields, bind } = useFields({
    name: profile.name ?? '',
    github: profile.github ?? '',
    discord_username: profile.discord_username ?? '',
    about: profile.about ?? '',
  } satisfies Record<keyof RequestOf<'post', '/user/update'>['body'], string>);
  const [error, setError] = useState('');
  const [fieldErrors, setFieldErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const field = (name: keyof typeof fields) => ({
    name,
    ...bind(name),
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
      <TextField label="Name" autoComplete="name" autoFocus {...field('name')} />
      <TextField label="GitHub" autoCapitalize="none" {...field('github')} />
      <TextField label="Discord" autoCapitalize="none" {...field('discord_username')} />
      <TextAreaField label="About" rows={4} {...field('about')} />
      <div className="cluster">
        <SubmitButton busy={busy} label="Save" busyLabel="Saving..." />
        <Button variant="ghost" onClick={onDone} disabled={busy}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
