export interface MigrateOptions {
  readonly database?: string
  readonly json?: boolean
}

export interface UpOptions extends MigrateOptions {
  readonly dryRun?: boolean
}

export interface ClockOptions extends MigrateOptions {
  readonly confirm?: boolean
}

export interface CopyOptions {
  readonly from: string
  readonly to?: string
}

export interface PartitionOptions {
  readonly database?: string
  readonly every: string
}
