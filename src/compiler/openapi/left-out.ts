declare const OF_ROW: unique symbol

/** A text that only rows of one table write. */
export type TextOf<Table extends string> = string & { readonly [OF_ROW]: Table }

/** One class of what an import leaves out, with its reason: for the guide, and for the text of each case. */
export interface LeftOut {
  readonly what: string
  readonly why: string
}

/** Returns a function that makes the rows of a table. */
export const rowsOf =
  <Table extends string>() =>
  <Given extends readonly string[]>(what: string, why: string, says: (...given: Given) => string) => ({
    what,
    why,
    says: says as (...given: Given) => TextOf<Table>,
  })

/** The rows as the guide prints them. */
export const guideLines = (table: { readonly [name: string]: LeftOut }): string =>
  Object.values(table)
    .map(({ what, why }) => `- ${what}: ${why}\n`)
    .join('')
