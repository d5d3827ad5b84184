const PATHS = {
  spade:
    'M12 2c3.200 5 9 7.500 9 12.300 0 2.600-2.100 4.700-4.700 4.700-1.300 0-2.500-.5-3.300-1.400.1 1.700.8 3.200 2.300 4.400H8.700c1.500-1.200 2.200-2.700 2.300-4.400-.8.9-2 1.400-3.300 1.400A4.700 4.700 0 0 1 3 14.300C3 9.500 8.800 7 12 2z',
  crown: 'M2 7l5 4 5-8 5 8 5-4-2 12H4L2 7zm2 14h16v2H4v-2z',
  trophy:
    'M7 2h10v2h4v4a5 5 0 0 1-4.600 5A5.500 5.500 0 0 1 13 15.900V19h4v3H7v-3h4v-3.100A5.500 5.500 0 0 1 7.600 13 5 5 0 0 1 3 8V4h4V2zm0 4H5v2a3 3 0 0 0 2 2.800V6zm10 0v4.800A3 3 0 0 0 19 8V6h-2z',
  menu: 'M3 5h18v2H3V5zm0 6h18v2H3v-2zm0 6h18v2H3v-2z',
  close:
    'M5.400 4L12 10.600 18.600 4 20 5.400 13.400 12l6.600 6.600-1.400 1.400L12 13.400 5.400 20 4 18.600 10.600 12 4 5.400 5.400 4z',
  copy: 'M8 2h12v14h-4v-2h2V4h-8v2H8V2zM4 8h10v14H4V8zm2 2v10h6V10H6z',
  check: 'M20.300 5.700L9 17l-5.300-5.300 1.400-1.400L9 14.200l9.900-9.900 1.400 1.400z',
  alert: 'M12 2l11 20H1L12 2zm0 4.200L4.400 20h15.200L12 6.200zM11 11h2v5h-2v-5zm0 6h2v2h-2v-2z',
  download: 'M11 3h2v9l3.500-3.500 1.400 1.400L12 15.800 6.100 9.900l1.400-1.400L11 12V3zM4 19h16v2H4v-2z',
  upload: 'M11 16V7L7.500 10.500 6.100 9.100 12 3.200l5.900 5.900-1.400 1.400L13 7v9h-2zM4 19h16v2H4v-2z',
  chevron: 'M6.400 8L12 13.600 17.600 8 19 9.400l-7 7-7-7L6.400 8z',
  search:
    'M10 3a7 7 0 0 1 5.600 11.200l5.100 5.100-1.400 1.400-5.100-5.100A7 7 0 1 1 10 3zm0 2a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  refresh:
    'M12 4a8 8 0 0 1 7.400 5H16v2h7V4h-2v3.600A10 10 0 0 0 2 12h2a8 8 0 0 1 8-8zM2 13v7h2v-3.600A10 10 0 0 0 22 12h-2a8 8 0 0 1-15.400 3H8v-2H2z',
  key: 'M8 6a6 6 0 0 1 5.700 4H22v4h-2v4h-4v-4h-2.300A6 6 0 1 1 8 6zm0 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  up: 'M12 5l8 12H4l8-12z',
  down: 'M12 19L4 7h16l-8 12z',
} as const;

export type IconName = keyof typeof PATHS;

export const ICON_NAMES = Object.keys(PATHS) as IconName[];

/** Shows a decorative icon, hidden from screen readers: its meaning must be in a text or in the label of its button. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={className ?? 'icon'} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
