/** What a scaffold says differently for each back end: values of its templates. */
export interface StorageValues {
  readonly storageImport: string
  readonly openStorage: string
  readonly database: string
  /** Dependencies beside svc-kit, as lines of package.json. */
  readonly storagePackages: string
  /** The step between installing and building, where there is one more. */
  readonly buildSteps: string
}

const TABLE = {
  sqlite: (name: string) => ({
    storageImport: `import { openSqlite } from 'svc-kit/runtime/sqlite'`,
    openStorage: 'openSqlite({ file: SVC_DATABASE })',
    database: `data/${name}.db`,
    storagePackages: '',
    buildSteps: 'npx svc build',
  }),
  postgres: (name: string) => ({
    storageImport: `import { openPostgres } from 'svc-kit/runtime/postgres'`,
    openStorage: 'openPostgres({ connectionString: SVC_DATABASE })',
    database: `postgresql://127.0.0.1/${name}`,
    storagePackages: '"pg": "8.23.1",\n    ',
    buildSteps: `npx svc build\nnpx svc migrate up --database postgresql://127.0.0.1/${name}`,
  }),
} as const satisfies { readonly [storage: string]: (name: string) => StorageValues }

export type StorageName = keyof typeof TABLE

export const STORAGES = Object.keys(TABLE) as readonly StorageName[]

export const isStorage = (word: string): word is StorageName => Object.hasOwn(TABLE, word)

export const storageValues = (storage: StorageName, name: string): StorageValues => TABLE[storage](name)
