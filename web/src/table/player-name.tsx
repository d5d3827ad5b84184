import { truncate } from './names.ts';

/** A name cut to a number of characters, the whole one as its title; kept apart from the direction of the text around it. */
export function PlayerName({ name, length }: { name: string; length: number }) {
  return (
    <bdi className="player-name" title={name}>
      {truncate(name, length)}
    </bdi>
  );
}
