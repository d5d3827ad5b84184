const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a text is a well-formed uuid. Callers treat malformed ids as unknown ones. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
