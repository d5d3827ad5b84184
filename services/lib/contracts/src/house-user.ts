/** The reserved account that plays test runs' other seat: auth's first migration makes its row, nobody can sign in as it. */
export const houseUserId = '00000000-0000-8000-8000-000000000001';
