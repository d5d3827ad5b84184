/** Prefix lengths in bits: a multiple of 8 for IPv4, of 16 for IPv6. */
export interface NetworkBits {
  readonly v4: number;
  readonly v6: number;
}

/**
 * Returns the network prefix of an address: dotted groups for IPv4 (also IPv4-mapped IPv6), groups without leading zeros for
 * IPv6. Returns anything else unchanged.
 */
export function networkOf(address: string, bits: NetworkBits): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) {
    return v4
      .split('.')
      .slice(0, bits.v4 / 8)
      .join('.');
  }
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = Math.max(0, 8 - groups.length - after.length);
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(missing).fill('0'), ...after];
  return whole
    .slice(0, bits.v6 / 16)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
