/** The one way to write a page: a template, without a compiler and without code made from text. */
export { html as markup } from 'htm/preact'
