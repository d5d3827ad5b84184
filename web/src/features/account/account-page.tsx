import { useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { Button } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { toast } from '../../components/toast-store.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { realmUrl, useAppConfig } from '../../lib/app-config.ts';
import { saveBlob } from '../../lib/download.ts';
import type { KeycloakSettings } from '../../lib/types.ts';
import { useSession } from '../../session/session.ts';
import { AccessTokens } from './access-tokens.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { EmailForm } from './email-form.tsx';
import { NoticesForm } from './notices-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionList } from './session-list.tsx';

/** Shows /account: password, e-mail address, access tokens, sessions, export and deletion of the user's own account. */
export function AccountPage() {
  const { keycloak } = useAppConfig();
  return (
    <Page title="Account settings" before={<BackLink to="/profile">Your profile</BackLink>}>
      {keycloak && <KeycloakPanel settings={keycloak} />}
      <div className="columns">
        <div className="stack">
          <PasswordForm />
          <EmailForm />
        </div>
        <div className="stack">
          <NoticesForm />
          <ExportPanel />
          <DeleteAccount />
        </div>
      </div>
      <AccessTokens />
      <SessionList />
    </Page>
  );
}

function KeycloakPanel({ settings }: { settings: KeycloakSettings }) {
  return (
    <Panel title="Single sign-on">
      <div className="stack">
        <p>Your account is managed by your organisation's single sign-on.</p>
        <p className="muted">
          Changes made here also apply there. If you sign in with another provider, you have no password here; manage
          your account <a href={`${realmUrl(settings)}/account`}>at single sign-on</a>.
        </p>
      </div>
    </Panel>
  );
}

function ExportPanel() {
  const { user } = useSession();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveBlob(await api.blob('/auth/export'), `${user?.username ?? 'account'}.json`);
    } catch (error) {
      toast.error(`Failed to export your data: ${messageOf(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel title="Your data">
      <div className="stack">
        <p className="muted">All data that the platform stores about you, as a JSON file.</p>
        <div>
          <Button variant="secondary" disabled={busy} onClick={() => void save()}>
            Download
          </Button>
        </div>
      </div>
    </Panel>
  );
}
