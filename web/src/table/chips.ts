/** Formats dollars with thousands separators, with cents only if they are not 0: '$1,234', '-$5', '$0.50'. */
export function formatChips(amount: number): string {
  const text = Math.abs(amount).toLocaleString('en-US', {
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  });
  return amount < 0 ? `-$${text}` : `$${text}`;
}

/** Formats a change with its sign: '+$10', '-$10', '$0'. */
export function formatChange(amount: number): string {
  return amount > 0 ? `+${formatChips(amount)}` : formatChips(amount);
}

/** Returns the class of base.css that colours a change. */
export function changeClass(amount: number): string {
  if (amount === 0) return 'neutral';
  return amount > 0 ? 'positive' : 'negative';
}
