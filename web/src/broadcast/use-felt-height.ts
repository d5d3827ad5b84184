import { type RefObject, useLayoutEffect } from 'react';

const MIN_REM = 24;
const MAX_REM = 44;
/** Below this the seats are compact. */
const LOW_REM = 32;

/**
 * Sizes the table so that it ends with the window, wherever the page puts it: `--felt-height` and the class `broadcast-low` of the
 * element. Not more than 44 rem and not less than 24 rem high.
 */
export function useFeltHeight(section: RefObject<HTMLElement | null>, enabled: boolean): void {
  useLayoutEffect(() => {
    const element = section.current;
    if (!enabled || element === null) return;
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
      const height = Math.min(MAX_REM * rem, Math.max(MIN_REM * rem, Math.floor(left)));
      element.style.setProperty('--felt-height', `${height}px`);
      element.classList.toggle('broadcast-low', height < LOW_REM * rem);
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
  }, [section, enabled]);
}
