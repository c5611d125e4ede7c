import type { EmittedFile } from '../emitted.js'
import type { ModulePlan, Plan } from '../plan/plan.js'
import { printModule, type Writer } from '../print/typescript.js'

/**
 * Printing of one kind of code: one file for a service of one module, or else a file for each module and one that
 * joins them.
 */
export interface ModularCode {
  /** Of the file, and of the folder of modules. */
  readonly name: string
  /** Writes a module. `up` leads from the file to `generated/`. */
  readonly module: (writer: Writer, module: ModulePlan, up: string) => void
  /** Writes what only the whole service has; in a divided service it imports the modules first. */
  readonly whole: (writer: Writer, plan: Plan, modules: readonly ModulePlan[]) => void
}

/** The files of one kind of code. */
export function modularFiles(plan: Plan, { name, module, whole }: ModularCode): readonly EmittedFile[] {
  if (plan.modules.length === 1) {
    const write = (writer: Writer): void => {
      plan.modules.forEach((only) => module(writer, only, './'))
      whole(writer, plan, [])
    }
    return [fileOf(name, printModule(plan.headerFor(), write))]
  }
  const parts = plan.modules.map((each) =>
    plan.remember(`${name}/${each.name}`, each.capabilities, () =>
      fileOf(
        `${name}/${each.name}`,
        printModule(plan.headerFor(each.capabilities), (writer) => module(writer, each, '../')),
      ),
    ),
  )
  return [
    ...parts,
    fileOf(
      name,
      printModule(plan.headerFor(), (writer) => whole(writer, plan, plan.modules)),
    ),
  ]
}

const fileOf = (path: string, text: string): EmittedFile => ({
  path: `generated/${path}.ts`,
  ownership: 'generated',
  text,
})

/** Returns the path from which the types of a module are imported. */
export const typesOf = (module: ModulePlan, up: string): string =>
  up === './' ? './types.js' : `../types/${module.name}.js`
