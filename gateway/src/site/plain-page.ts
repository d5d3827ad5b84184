import { escapeHtml } from '@husky/runtime/process/html';
import type { ListScene, TableScene } from './pictures/scenes.ts';
import type { Subject } from './subjects.ts';
import { formatChange } from './words.ts';

const link = (href: string, text: string) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

/** Returns what a page shows without JavaScript: its results as text, a table and links. */
export function plainPage(title: string, description: string, subject: Subject | undefined): string {
  return [
    `<p>${link('/', 'Home')} ${link('/games', 'Games')}</p>`,
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(description)}</p>`,
    ...(subject === undefined ? [] : [tableOf(subject.scene), listOf(subject.links ?? [])]),
    '<p>Graphs, replays and everything else need JavaScript.</p>',
  ].join('\n');
}

function tableOf(scene: ListScene | TableScene): string {
  const rows = 'rows' in scene ? scene.rows : [...scene.seats].sort((a, b) => b.delta - a.delta);
  if (rows.length === 0) return '';
  const cells = rows.map((row) => {
    const rank = 'rank' in row ? `<td>${row.rank}</td>` : '';
    const player = link(`/players/${encodeURIComponent(row.name)}`, row.name);
    return `<tr>${rank}<td>${player}</td><td>${escapeHtml(formatChange(row.delta))}</td></tr>`;
  });
  const head = `${'rows' in scene ? '<th>Rank</th>' : ''}<th>Player</th><th>Result</th>`;
  return `<table><thead><tr>${head}</tr></thead><tbody>${cells.join('')}</tbody></table>`;
}

const listOf = (links: NonNullable<Subject['links']>) =>
  links.length === 0 ? '' : `<ul>${links.map(({ href, text }) => `<li>${link(href, text)}</li>`).join('')}</ul>`;
