/** Box of a graph: placed the same for the same names, without a library and without measuring. */

export interface Box {
  readonly name: string
  /** Text in the box; long names are cut. */
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  /** Above it. */
  readonly word?: string
}

export interface Line {
  readonly d: string
  readonly isDashed: boolean
}

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
}

export const BOX_HEIGHT = 34
const WORD_HEIGHT = 18
const CELL_HEIGHT = WORD_HEIGHT + BOX_HEIGHT + 14
export const GAP = 44
const MOST_LETTERS = 26
/** Of the fixed-width letters at 13 px. */
const LETTER = 7.9

export const boxText = (name: string): string =>
  name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`

/** Words above a box take some of its width, too. */
export const widthFor = (name: string, word = ''): number =>
  Math.ceil(Math.max(boxText(name).length * LETTER + 22, word.length * 6.6))

export interface Cell {
  readonly name: string
  readonly word?: string
}

export const widest = (cells: readonly Cell[]): number =>
  Math.max(0, ...cells.map(({ name, word }) => widthFor(name, word)))

/** A box in a row of cells, from the top. */
export const boxAt = ({ name, word }: Cell, x: number, row: number, width = widthFor(name, word)): Box => ({
  name,
  text: boxText(name),
  x,
  y: Math.round(row * CELL_HEIGHT) + WORD_HEIGHT,
  width,
  ...(word !== undefined && { word }),
})

export const heightOf = (rows: number): number => Math.round(rows * CELL_HEIGHT)

export const middleOf = ({ y }: Box): number => y + BOX_HEIGHT / 2

/** An arrow from the right side of one box to the left side of another. */
export function arrow(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x + from.width, middleOf(from), to.x - 2, middleOf(to)]
  const bend = Math.round((x2 - x1) / 2)
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}M${x2 - 6} ${y2 - 5}l6 5-6 5`
}
