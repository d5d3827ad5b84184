// Creating a format takes a thousand times as long as using it.
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats dollars with thousands separators, with cents only if they are not 0: '$1,234', '-$5', '$0.50'. */
export function formatChips(amount: number): string {
  const text = (Number.isInteger(amount) ? whole : cents).format(Math.abs(amount));
  return amount < 0 ? `-$${text}` : `$${text}`;
}

/** Formats an amount in big blinds: '1.5 BB'. */
export function formatBigBlinds(amount: number, bigBlind: number): string {
  return `${whole.format(amount / bigBlind)} BB`;
}

/** Formats a change with its sign in the given unit: '+$10', '-$10', '$0'. */
export function formatSigned(amount: number, format: (amount: number) => string): string {
  return amount > 0 ? `+${format(amount)}` : format(amount);
}

/** Formats a change in dollars with its sign. */
export function formatChange(amount: number): string {
  return formatSigned(amount, formatChips);
}
