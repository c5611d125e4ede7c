/** Finds files by their names' patterns. Loaded when a pattern is given. */
export { glob } from 'tinyglobby'
