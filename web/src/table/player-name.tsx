import { truncate } from './names.ts';
/** Shows a name cut to `length` characters, with the whole name as title, in a <bdi>. */
export function PlayerName({ name, length }: { name: string; length: number }) {
  return (
    <bdi className="player-name" title={name}>
      {truncate(name, length)}
    </bdi>
  );
}
