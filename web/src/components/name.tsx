import { Fragment } from 'react';

/**
 * Shows the name of a player: on at most two lines, broken after spaces, hyphens, underscores and dots only, then with an ellipsis. The title
 * and the focused link or button around it show it whole.
 */
export function Name({ name }: { name: string }) {
  return (
    <bdi className="name" title={name}>
      {name.split(/(?<=[-_.])/u).map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
