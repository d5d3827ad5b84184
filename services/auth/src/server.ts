import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { access } from './access.ts';
import { listAudit } from './audit/rpc/list-audit.ts';
import type { AuthContext } from './context.ts';
import type { NoticesHost } from './notices/host.ts';
import { getNotices, lookAtOptOut, setNotices, useOptOut } from './notices/rpc/settings.ts';
import { createApiToken, identifyApiToken, listApiTokens, revokeApiToken } from './rpc/api-tokens.ts';
import { countUsers, getNames, getUser, listUsers, resolveNames } from './rpc/directory.ts';
import { changeEmail, confirmEmailChange, resendVerification, verifyEmail } from './rpc/email.ts';
import { getKeys, identify, login } from './rpc/login.ts';
import { deleteUser, toggleAdmin, toggleVerified } from './rpc/manage-users.ts';
import { deleteOwnAccount, exportOwnData, updateProfile } from './rpc/own-account.ts';
import { changePassword, requestPasswordReset, resetPassword } from './rpc/password.ts';
import { register } from './rpc/register.ts';
import { endOtherSessions, endSession, listSessions, logout } from './rpc/sessions.ts';

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
    createApiToken: (request, call) => createApiToken(context, request, call),
    listApiTokens: (request, call) => listApiTokens(context, request, call),
    revokeApiToken: (request, call) => revokeApiToken(context, request, call),
    identifyApiToken: (request) => identifyApiToken(context, request),
    getNotices: (request, call) => getNotices(notices, request, call),
    setNotices: (request, call) => setNotices(notices, request, call),
    lookAtOptOut: (request) => lookAtOptOut(notices, request),
    useOptOut: (request) => useOptOut(notices, request),
  };
}
