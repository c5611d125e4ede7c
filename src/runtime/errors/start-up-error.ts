/** What keeps a service from starting. The message names it and says what to do. */
export class StartUpError extends Error {
  override readonly name = 'StartUpError'
}
