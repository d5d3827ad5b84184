const LINE = 'var(--color-accent)';

function Table() {
  const seats = [0, 1, 2, 3, 4, 5].map((seat) => {
    const angle = (seat / 6) * 2 * Math.PI - Math.PI / 2;
    return { seat, x: 160 + Math.cos(angle) * 118, y: 90 + Math.sin(angle) * 66 };
  });
  return (
    <>
      <ellipse cx="160" cy="90" rx="104" ry="54" fill="#081a30" stroke={LINE} strokeWidth="2" />
      <ellipse cx="160" cy="90" rx="84" ry="38" fill="none" stroke="#1d3f6b" />
      {seats.map(({ seat, x, y }) => (
        <circle key={seat} cx={x} cy={y} r="13" fill="#000" stroke={`var(--player-${seat + 1})`} strokeWidth="2" />
      ))}
      <circle cx="212" cy="62" r="6" fill="#fff" />
    </>
  );
}

function Board() {
  const cards = [
    ['A', '♠', '#fff'],
    ['K', '♥', '#ff5c7a'],
    ['Q', '♠', '#fff'],
    ['J', '♦', '#ff5c7a'],
    ['10', '♣', '#fff'],
  ] as const;
  return cards.map(([rank, suit, color], index) => (
    <g key={rank} transform={`translate(${26 + index * 55} 48) rotate(${(index - 2) * 3} 24 40)`}>
      <rect width="48" height="80" rx="4" fill="#0b1017" stroke={LINE} strokeWidth="1.500" />
      <text x="24" y="38" textAnchor="middle" fill={color} fontFamily="var(--font-display)" fontSize="30">
        {rank}
      </text>
      <text x="24" y="66" textAnchor="middle" fill={color} fontSize="22">
        {suit}
      </text>
    </g>
  ));
}

function Chips() {
  const stacks = [3, 6, 9, 5, 2];
  return stacks.flatMap((height, stack) =>
    Array.from({ length: height }, (_, chip) => (
      <ellipse
        // biome-ignore lint/suspicious/noArrayIndexKey: chips have no identity except their position
        key={`${stack}-${chip}`}
        cx={48 + stack * 56}
        cy={148 - chip * 12}
        rx="23"
        ry="8"
        fill="#06101d"
        stroke={`var(--player-${stack + 2})`}
        strokeWidth="2"
      />
    )),
  );
}

function Curve() {
  const paths = [
    ['M10 95 L60 88 L110 70 L160 76 L210 46 L260 40 L310 18', 2],
    ['M10 95 L60 99 L110 92 L160 84 L210 96 L260 82 L310 78', 3],
    ['M10 95 L60 104 L110 116 L160 110 L210 130 L260 146 L310 162', 5],
  ] as const;
  return (
    <>
      {[30, 62, 95, 128, 160].map((y) => (
        <line key={y} x1="10" x2="310" y1={y} y2={y} stroke="#152338" />
      ))}
      {paths.map(([d, color]) => (
        <path key={color} d={d} fill="none" stroke={`var(--player-${color})`} strokeWidth="2.500" />
      ))}
    </>
  );
}

const PICTURES: Record<string, () => React.ReactNode> = { table: Table, board: Board, chips: Chips, curve: Curve };

/** Draws a picture of the gallery by its name in about.json; the caption describes it. */
export function Picture({ name }: { name: string }) {
  const Drawing = PICTURES[name];
  return (
    <svg viewBox="0 0 320 180" aria-hidden="true" focusable="false">
      <rect width="320" height="180" fill="#020408" />
      {Drawing && <Drawing />}
    </svg>
  );
}
