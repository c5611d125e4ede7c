import {
  arrow,
  boxAt,
  BOX_HEIGHT,
  GAP,
  heightOf,
  middleOf,
  widest,
  widthFor,
  type Box,
  type Cell,
  type Drawing,
  type Line,
} from './layout.js'
import { RELATIONS, type Relation } from './relations.js'

const LEAST_WIDTH = 440
const ARM = 22

const cellsAt = (relations: readonly Relation[], place: 'before' | 'after' | 'below') =>
  relations
    .filter(({ kind }) => RELATIONS[kind].place === place)
    .map(({ kind, name }): Cell & { readonly isDashed: boolean } => ({
      name,
      word: RELATIONS[kind].word,
      isDashed: RELATIONS[kind].line === 'dashed',
    }))

/** Places what comes before on the left, what comes after on the right, and everything else below. */
export function aroundLayout(name: string, relations: readonly Relation[]): Drawing {
  const [before, after, below] = [
    cellsAt(relations, 'before'),
    cellsAt(relations, 'after'),
    cellsAt(relations, 'below'),
  ]
  const own = widthFor(name)
  const left = below.filter((_, index) => index % 2 === 0)
  const right = below.filter((_, index) => index % 2 === 1)
  const fromBefore = before.length === 0 ? 0 : widest(before) + GAP
  // The stem hangs from the middle of the box: what stands left of it needs its room, too.
  const x = Math.max(1, fromBefore + 1, widest(left) + ARM - Math.floor(own / 2) + 1)
  const rows = Math.max(before.length, after.length, 1)
  const here = boxAt({ name }, x, (rows - 1) / 2)
  const stem = x + Math.floor(own / 2)
  const hung = (cell: Cell, index: number, isLeft: boolean): Box =>
    boxAt(cell, isLeft ? stem - ARM - widthFor(cell.name, cell.word) : stem + ARM, rows + index)
  const [leftBoxes, rightBoxes] = [
    left.map((cell, index) => hung(cell, index, true)),
    right.map((cell, index) => hung(cell, index, false)),
  ]
  const beforeBoxes = before.map((cell, row) =>
    boxAt(cell, x - GAP - widthFor(cell.name, cell.word), row + (rows - before.length) / 2),
  )
  const afterBoxes = after.map((cell, row) => boxAt(cell, x + own + GAP, row + (rows - after.length) / 2))
  const boxes = [here, ...beforeBoxes, ...afterBoxes, ...leftBoxes, ...rightBoxes]
  const lines: readonly Line[] = [
    ...beforeBoxes.map((box) => ({ d: arrow(box, here), isDashed: false })),
    ...afterBoxes.map((box) => ({ d: arrow(here, box), isDashed: false })),
    ...stemLines(here, stem, [...leftBoxes, ...rightBoxes]),
    ...leftBoxes.map((box, index) => ({
      d: `M${stem} ${middleOf(box)}H${box.x + box.width}`,
      isDashed: left[index]!.isDashed,
    })),
    ...rightBoxes.map((box, index) => ({ d: `M${stem} ${middleOf(box)}H${box.x}`, isDashed: right[index]!.isDashed })),
  ]
  const width = Math.max(LEAST_WIDTH, ...boxes.map((box) => box.x + box.width + 1))
  return { width, height: heightOf(rows + left.length), boxes, lines }
}

function stemLines(here: Box, stem: number, hung: readonly Box[]): readonly Line[] {
  if (hung.length === 0) return []
  const bottom = Math.max(...hung.map(middleOf))
  return [{ d: `M${stem} ${here.y + BOX_HEIGHT}V${bottom}`, isDashed: true }]
}
