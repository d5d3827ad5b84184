import { figureOf, formatChances, formatFigure, type PlayerPlay, STATISTICS } from './play-figures.ts';

/** Shows every statistic with its value for each player, the number of opportunities and its meaning. */
export function KeyFigures({ players }: { players: readonly PlayerPlay[] }) {
  return (
    <dl className="play-figures">
      {STATISTICS.map((statistic) => (
        <div key={statistic.id} className="play-figure">
          <dt>{statistic.label}</dt>
          {players.map((player) => {
            const figure = figureOf(player, statistic.id);
            return (
              <dd key={player.username} className="play-value">
                {players.length > 1 && <bdi className="play-name">{player.username}</bdi>}
                <b className="mono-number">{formatFigure(figure, statistic.kind)}</b>
                <small className="muted">{formatChances(figure, statistic)}</small>
              </dd>
            );
          })}
          <dd className="play-meaning">{statistic.meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
