/** What a scaffold says differently for each back end: values of its templates. */
export interface StorageValues {
  /** The back end as `svc-kit/runtime/…` names it, the function that opens it, and the option that says where it is. */
  readonly storage: string
  readonly openStorage: string
  readonly place: string
  readonly database: string
  /** Dependencies beside svc-kit, as lines of package.json. */
  readonly storagePackages: string
  /** The step between installing and building, where there is one more. */
  readonly buildSteps: string
}

const TABLE = {
  sqlite: (name: string) => ({
    storage: 'sqlite',
    openStorage: 'openSqlite',
    place: 'file',
    database: `data/${name}.db`,
    storagePackages: '',
    buildSteps: 'npx svc build',
  }),
  postgres: (name: string) => ({
    storage: 'postgres',
    openStorage: 'openPostgres',
    place: 'connectionString',
    database: `postgresql://127.0.0.1/${name}`,
    storagePackages: '"pg": "8.23.1",\n    ',
    buildSteps: `npx svc build\nnpx svc migrate up --database postgresql://127.0.0.1/${name}`,
  }),
} as const satisfies { readonly [storage: string]: (name: string) => StorageValues }

export type StorageName = keyof typeof TABLE

export const STORAGES = Object.keys(TABLE) as readonly StorageName[]

export const isStorage = (word: string): word is StorageName => Object.hasOwn(TABLE, word)

export const storageValues = (storage: StorageName, name: string): StorageValues => TABLE[storage](name)
