/** A scalar in YAML that is exactly the value: quoted unless it is a plain word or a number. */
export function textOfYaml(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  const isWord =
    /^[A-Za-z$](?:[A-Za-z0-9 _./()-]*[A-Za-z0-9_.)])?$/u.test(value) &&
    !/[:#,] |^(?:null|true|false|yes|no|on|off|todo|y|n)$|,/iu.test(value)
  if (isWord) return value
  return /^[\x20-\x7e]*$/u.test(value)
    ? `'${value.replaceAll("'", "''")}'`
    : JSON.stringify(value).replaceAll(/[\u007F-\u009F\uFFFD]/gu, escaped)
}

/** What a file that is well-formed does not hold as it is. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A file as its formatter writes it, unless that writes what a well-formed file does not hold. */
export const tidied = (written: string, formatted: string | undefined): string =>
  formatted === undefined || formatted.includes('\uFFFD') ? written : formatted
