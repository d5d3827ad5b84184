// Applies the stored theme before the first paint. A file of its own, because the content security policy forbids inline scripts.
// The values are those of web/src/lib/theme.ts.
try {
  const theme = localStorage.getItem('husky.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser denies storage in a frame of another site: the system's colours apply.
}
