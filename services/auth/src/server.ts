import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import { listAudit } from './audit/rpc/list-audit.ts';
import type { AuthContext } from './context.ts';
import type { NoticesHost } from './notices/host.ts';
import { getNotices, lookAtOptOut, setNotices, useOptOut } from './notices/rpc/settings.ts';
import { changeEmail } from './rpc/change-email.ts';
import { changePassword } from './rpc/change-password.ts';
import { confirmEmailChange } from './rpc/confirm-email-change.ts';
import { countUsers } from './rpc/count-users.ts';
import { deleteOwnAccount } from './rpc/delete-own-account.ts';
import { deleteUser } from './rpc/delete-user.ts';
import { endOtherSessions } from './rpc/end-other-sessions.ts';
import { endSession } from './rpc/end-session.ts';
import { exportOwnData } from './rpc/export-own-data.ts';
import { getKeys } from './rpc/get-keys.ts';
import { getNames } from './rpc/get-names.ts';
import { getUser } from './rpc/get-user.ts';
import { identify } from './rpc/identify.ts';
import { listSessions } from './rpc/list-sessions.ts';
import { listUsers } from './rpc/list-users.ts';
import { login } from './rpc/login.ts';
import { logout } from './rpc/logout.ts';
import { register } from './rpc/register.ts';
import { requestPasswordReset } from './rpc/request-password-reset.ts';
import { resendVerification } from './rpc/resend-verification.ts';
import { resetPassword } from './rpc/reset-password.ts';
import { resolveNames } from './rpc/resolve-names.ts';
import { toggleAdmin } from './rpc/toggle-admin.ts';
import { toggleVerified } from './rpc/toggle-verified.ts';
import { updateProfile } from './rpc/update-profile.ts';
import { verifyEmail } from './rpc/verify-email.ts';

export function createHandlers(
  context: AuthContext,
  notices: NoticesHost,
): Handlers<AuthServiceDefinition, typeof access> {
  return {
    register: (request) => register(context, request),
    login: (request) => login(context, request),
    identify: (request) => identify(context, request),
    logout: (request, call) => logout(context, request, call),
    resendVerification: (request, call) => resendVerification(context, request, call),
    verifyEmail: (request) => verifyEmail(context, request),
    getUser: (request, call) => getUser(context, request, call),
    updateProfile: (request, call) => updateProfile(context, request, call),
    listUsers: (request, call) => listUsers(context, request, call),
    countUsers: (request) => countUsers(context, request),
    toggleAdmin: (request, call) => toggleAdmin(context, request, call),
    toggleVerified: (request, call) => toggleVerified(context, request, call),
    deleteUser: (request, call) => deleteUser(context, request, call),
    listAudit: (request) => listAudit(context, request),
    getNames: (request) => getNames(context, request),
    resolveNames: (request) => resolveNames(context, request),
    getKeys: (request) => getKeys(context, request),
    changeEmail: (request, call) => changeEmail(context, request, call),
    confirmEmailChange: (request) => confirmEmailChange(context, request),
    changePassword: (request, call) => changePassword(context, request, call),
    requestPasswordReset: (request) => requestPasswordReset(context, request),
    resetPassword: (request) => resetPassword(context, request),
    listSessions: (request, call) => listSessions(context, request, call),
    endSession: (request, call) => endSession(context, request, call),
    endOtherSessions: (request, call) => endOtherSessions(context, request, call),
    deleteOwnAccount: (request, call) => deleteOwnAccount(context, request, call),
    exportOwnData: (request, call) => exportOwnData(context, request, call),
    getNotices: (request, call) => getNotices(notices, request, call),
    setNotices: (request, call) => setNotices(notices, request, call),
    lookAtOptOut: (request) => lookAtOptOut(notices, request),
    useOptOut: (request) => useOptOut(notices, request),
  };
}
