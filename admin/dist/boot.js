// Sets the colour scheme before the first paint. A file of its own, so that no inline script has to
// be allowed.
(function () {
  var chosen = 'auto';
  try {
    chosen = localStorage.getItem('recto.colour-scheme') || 'auto';
  } catch {
    // Storage may be forbidden; the system's scheme will do.
  }
  var dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
