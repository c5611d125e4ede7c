/** The table: a line for each sentence and table row of sections 2 to 9 of the interface document, with its checks. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a sentence is checked, as its line says it: `case`, `served`, `refuses`, `takes`, `failure`; or why not: `not`. */
export interface Row {
  /** Section and place within it. */
  readonly id: string
  readonly section: string
  readonly how: readonly string[]
  readonly sentence: string
}

/** The rows of a text: `## <section>`, and below it `<check> ; <check> | <sentence>`. */
export function rowsIn(text: string): readonly Row[] {
  let section = ''
  let place = 0
  return text.split('\n').flatMap((line) => {
    const head = /^## (\S+)$/u.exec(line)?.[1]
    if (head !== undefined) {
      section = head
      place = 0
    }
    if (head !== undefined || line.trim() === '') return []
    const at = line.lastIndexOf(' | ')
    const how =
      at === -1
        ? []
        : line
            .slice(0, at)
            .split(' ; ')
            .map((each) => each.trim())
    place += 1
    return [{ id: `${section}-${place}`, section, how, sentence: line.slice(at === -1 ? 0 : at + 3) }]
  })
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')

export const ROWS = rowsIn(`${read('sentences-2.txt')}\n${read('sentences-3-to-9.txt')}`)
