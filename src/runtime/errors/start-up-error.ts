/** Error that keeps a service from starting. The message names the cause and the remedy. */
export class StartUpError extends Error {
  override readonly name = 'StartUpError'
}
