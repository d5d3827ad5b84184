import { listAudit } from './audit/rpc/list-audit.ts';
import type { AuthContext, AuthHandlers } from './context.ts';
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

export function createHandlers(context: AuthContext, notices: NoticesHost): AuthHandlers {
  return {
    register: register(context),
    login: login(context),
    identify: identify(context),
    logout: logout(context),
    resendVerification: resendVerification(context),
    verifyEmail: verifyEmail(context),
    getUser: getUser(context),
    updateProfile: updateProfile(context),
    listUsers: listUsers(context),
    countUsers: countUsers(context),
    toggleAdmin: toggleAdmin(context),
    toggleVerified: toggleVerified(context),
    deleteUser: deleteUser(context),
    listAudit: (request) => listAudit(context, request),
    getNames: getNames(context),
    resolveNames: resolveNames(context),
    getKeys: getKeys(context),
    changeEmail: changeEmail(context),
    confirmEmailChange: confirmEmailChange(context),
    changePassword: changePassword(context),
    requestPasswordReset: requestPasswordReset(context),
    resetPassword: resetPassword(context),
    listSessions: listSessions(context),
    endSession: endSession(context),
    endOtherSessions: endOtherSessions(context),
    deleteOwnAccount: deleteOwnAccount(context),
    exportOwnData: exportOwnData(context),
    createApiToken: createApiToken(context),
    listApiTokens: listApiTokens(context),
    revokeApiToken: revokeApiToken(context),
    identifyApiToken: identifyApiToken(context),
    getNotices: (request, call) => getNotices(notices, request, call),
    setNotices: (request, call) => setNotices(notices, request, call),
    lookAtOptOut: (request) => lookAtOptOut(notices, request),
    useOptOut: (request) => useOptOut(notices, request),
  };
}
