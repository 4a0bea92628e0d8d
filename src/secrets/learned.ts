// Secrets that a worker finds while it runs, such as the key of a connector that a hook names.

let listener: (secrets: string[]) => void = () => undefined;

/** Sets what is done with secrets that this process learns. */
export function onSecrets(listen: (secrets: string[]) => void): void {
  listener = listen;
}

/** Registers secrets for masking; call it before any value that may contain them is used. */
export function learnSecrets(secrets: string[]): void {
  if (secrets.length > 0) listener(secrets);
}
