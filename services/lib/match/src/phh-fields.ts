/** Returns the fields of a PHH table by name; those of several lines as a list of them. */
export function phhFields(table: string): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {};
  let lines: string[] = [];
  for (const line of table.split('\n')) {
    const [, name, value = ''] = /^(\w+) = (.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      lines = [];
      fields[name] = value === '[' ? lines : value;
    } else if (line !== '') lines.push(line.trim());
  }
  return fields;
}

/** Splits the text of a PHH file into its tables by number. */
export function phhTables(text: string): Map<number, string> {
  const parts = text.split(/^\[(\d+)\]$/m);
  const tables = new Map<number, string>();
  for (let index = 1; index < parts.length; index += 2) tables.set(Number(parts[index]), parts[index + 1] ?? '');
  return tables;
}
