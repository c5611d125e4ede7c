/** Paints text for a terminal. */
export type Paint = (text: string) => string

export interface Colors {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly blue: Paint
  readonly cyan: Paint
}

/** The escapes of ECMA-48 8.3.117; without colour, text stays as it is. */
export function createColors(enabled: boolean): Colors {
  const paint = (open: number, close: number): Paint =>
    enabled ? (text) => `\u001B[${open}m${text}\u001B[${close}m` : (text) => text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    cyan: paint(36, 39),
  }
}
