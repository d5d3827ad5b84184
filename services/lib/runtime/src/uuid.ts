const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id of ours at all: what cannot is unknown, like an id that nobody has. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
