// A browser in a bare environment may report a language that it does not know itself (`en-US@posix`), and the first library
// that formats a number would stop the whole page.

try {
  Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
