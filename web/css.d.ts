// The bundler handles style sheets.

declare module '*.css';
