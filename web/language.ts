// Some browsers report a language that they do not support (`en-US@posix`). Without this fallback, the first library
// that formats a number would break the whole page.

try {
  Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
