/** Helpers that templates have beside those of Handlebars: each makes a text of a text. */
export const TEXT_HELPERS: { readonly [name: string]: (text: string) => string } = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
}

export const isTextHelper = (name: string): boolean => Object.hasOwn(TEXT_HELPERS, name)
