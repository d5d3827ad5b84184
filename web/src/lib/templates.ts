export type Template = { name: string; title: string; load: () => Promise<{ player: string; requirements: string }> };

type Load = () => Promise<string>;

const players = import.meta.glob<string>('../../../services/runner/bots/*/player.py', {
  query: '?raw',
  import: 'default',
});
const requirements = import.meta.glob<string>('../../../services/runner/bots/*/requirements.txt', {
  query: '?raw',
  import: 'default',
});

/** Returns 'tight-aggressive' for '…/bots/tight-aggressive/player.py'. */
export function templateName(path: string): string {
  return path.split('/').at(-2) ?? path;
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Example bots as templates, bundled at build time and loaded on selection. */
export const templates: Template[] = Object.entries(players)
  .map(([path, load]): Template => {
    const name = templateName(path);
    const packages: Load | undefined = requirements[path.replace(/player\.py$/, 'requirements.txt')];
    return {
      name,
      title: titleOf(name),
      load: async () => ({ player: await (load as Load)(), requirements: packages ? await packages() : '' }),
    };
  })
  .sort((a, b) => a.name.localeCompare(b.name));
