import { type RefObject, useLayoutEffect } from 'react';

const MAX_REM = 44;

/**
 * Sizes the table so that it ends with the window, wherever the page puts it: `--felt-height` of the element. At most 44 rem high, and at least `minRem`; null does not size it.
 */
export function useFeltHeight(section: RefObject<HTMLElement | null>, minRem: number | null): void {
  useLayoutEffect(() => {
    const element = section.current;
    if (minRem === null || element === null) return;
    const fit = () => {
      const place = element.querySelector('.broadcast-felt');
      if (place === null) return;
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      const [felt, floor] = [
        place.querySelector<HTMLElement>('.felt'),
        place.querySelector<HTMLElement>('.felt-floor'),
      ];
      // What the table has below its floor.
      const extra = felt && floor ? felt.offsetHeight - floor.offsetHeight : 0;
      const left = window.innerHeight - (place.getBoundingClientRect().top + window.scrollY) - extra - rem / 2;
      const height = Math.min(MAX_REM * rem, Math.max(minRem * rem, Math.floor(left)));
      element.style.setProperty('--felt-height', `${height}px`);
    };
    fit();
    // The page above the table may change; the table itself changes only below it, so that this ends.
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    window.addEventListener('resize', fit);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', fit);
    };
  }, [section, minRem]);
}
