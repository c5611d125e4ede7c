/** The options of `svc validate`, as the command line gives them. */
export interface ValidateOptions {
  readonly format: 'text' | 'json'
}
