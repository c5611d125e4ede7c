/** The options with which the index of the search is made and read. */
export const INDEX: { fields: string[]; storeFields: string[] }

/** Every file of the site by its address, and the links of its sources that lead to nothing. */
export function siteOf(root: string): {
  readonly site: ReadonlyMap<string, string | Uint8Array>
  readonly troubles: readonly string[]
}
