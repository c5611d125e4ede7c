export interface MigrateOptions {
  readonly database?: string
  readonly json?: boolean
}

export interface UpOptions extends MigrateOptions {
  readonly dryRun?: boolean
}
