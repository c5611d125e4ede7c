import { safe } from './code-frame.js'

interface Step {
  readonly mark: ' ' | '-' | '+'
  readonly line: string
}

/** Returns the changes between two texts as a diff with two lines of context. */
export function lineDiff(file: string, before: string, after: string): string {
  const steps = stepsBetween(before.split('\n'), after.split('\n'))
  const near = steps.map((_, at) => steps.slice(Math.max(0, at - 2), at + 3).some(({ mark }) => mark !== ' '))
  const lines = steps.flatMap(({ mark, line }, at) =>
    near[at] ? [`${mark}${safe(line)}`] : near[at - 1] ? ['@@'] : [],
  )
  return `--- ${safe(file)}\n+++ ${safe(file)}\n${lines.join('\n')}\n`
}

/** Lines that both have in the same order are kept: the nearest equal line is taken, which is exact for few changes. */
function stepsBetween(before: readonly string[], after: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  let from = 0
  let to = 0
  while (from < before.length || to < after.length) {
    if (from < before.length && before[from] === after[to]) {
      steps.push({ mark: ' ', line: before[from]! })
      from++
      to++
      continue
    }
    const [skip, add] = nextMeeting(before, after, from, to)
    for (let count = 0; count < skip; count++) steps.push({ mark: '-', line: before[from++]! })
    for (let count = 0; count < add; count++) steps.push({ mark: '+', line: after[to++]! })
  }
  return steps
}

/** Counts the lines to remove and to add until both texts agree again. */
function nextMeeting(
  before: readonly string[],
  after: readonly string[],
  from: number,
  to: number,
): readonly [number, number] {
  const left = before.length - from
  const right = after.length - to
  for (let sum = 1; sum <= Math.min(left + right, 400); sum++)
    for (let skip = Math.min(sum, left); skip >= Math.max(0, sum - right); skip--)
      if (
        from + skip < before.length &&
        to + sum - skip < after.length &&
        before[from + skip] === after[to + sum - skip]
      )
        return [skip, sum - skip]
  return [left, right]
}
