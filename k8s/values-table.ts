/**
 * Returns a Markdown table of the values of a chart: path, default and the comment above. Parses the subset of YAML that
 * values.yaml uses: block mappings whose leaves are on one line.
 */
export function valuesTable(yaml: string): string {
  const rows = ['| value | default | meaning |', '|---|---|---|'];
  const path: { readonly indent: number; readonly key: string }[] = [];
  let comment: string[] = [];
  for (const line of yaml.split('\n')) {
    const [, indentation = '', key, value = ''] = /^( *)([\w-]+):(?: +(.*))?$/.exec(line) ?? [];
    if (key === undefined) {
      const [, text] = /^ *# ?(.*)$/.exec(line) ?? [];
      comment = text === undefined ? [] : [...comment, text];
      continue;
    }
    while ((path.at(-1)?.indent ?? -1) >= indentation.length) path.pop();
    path.push({ indent: indentation.length, key });
    const name = path.map((step) => step.key).join('.');
    if (value !== '' || comment.length > 0) {
      rows.push(
        `| \`${name}\` | ${value === '' ? '' : `\`${cell(value)}\``} | ${cell(comment.join(' ')).replaceAll('<', '&lt;')} |`,
      );
    }
    comment = [];
  }
  return rows.join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
