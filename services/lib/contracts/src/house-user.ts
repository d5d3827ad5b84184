/** Id of the house account, the opponent in test runs. auth's first migration creates its row; nobody can sign in to it. */
export const houseUserId = '00000000-0000-8000-8000-000000000001';
