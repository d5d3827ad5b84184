/** Formats dollars with thousands separators, with cents only if they are not 0: '$1,234', '-$5', '$0.50'. */
export function formatChips(amount: number): string {
  const text = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return amount < 0 ? `-$${text}` : `$${text}`;
}

/** Formats an amount in big blinds: '1.5 BB'. */
export function formatBigBlinds(amount: number, bigBlind: number): string {
  return `${(amount / bigBlind).toLocaleString('en-US', { maximumFractionDigits: 2 })} BB`;
}

/** Formats a change with its sign in the given unit: '+$10', '-$10', '$0'. */
export function formatSigned(amount: number, format: (amount: number) => string): string {
  return amount > 0 ? `+${format(amount)}` : format(amount);
}

/** Formats a change in dollars with its sign. */
export function formatChange(amount: number): string {
  return formatSigned(amount, formatChips);
}
