/** A value as it is written, without its quotes. */
export const unquoted = (written: string): string => written.replace(/^(["'])([^]*)\1$/u, '$2')
