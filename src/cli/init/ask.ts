import { cancel, intro, isCancel, select, text } from '@clack/prompts'
import { CliError, EXIT } from '../cli-error.js'
import { nameFrom, TEMPLATES, wrongName, type Answers, type InitOptions } from './answers.js'
import { isStorage, STORAGES } from './storages.js'

const DESCRIBED: { readonly [choice: string]: string } = {
  minimal: 'one capability that reads',
  sqlite: 'one process, one file, nothing to install',
  postgres: 'any number of replicas',
  travel: 'search with quotes, booking with budget and approval, refund, a composition',
}

/** Asks for what the options do not say. */
export async function ask(folder: string, options: InitOptions): Promise<Answers> {
  intro('A new service')
  const name =
    options.name ??
    answered(
      await text({ message: 'Name', initialValue: nameFrom(folder), validate: (value) => wrongName(value ?? '') }),
    )
  const template =
    options.template ??
    answered(
      await select({
        message: 'Template',
        options: TEMPLATES.map((value) => ({ value, label: value, hint: DESCRIBED[value] ?? '' })),
      }),
    )
  const storage =
    options.storage ??
    answered(
      await select({
        message: 'Storage',
        options: STORAGES.map((value) => ({ value, label: value, hint: DESCRIBED[value] ?? '' })),
      }),
    )
  return { name, template, storage: isStorage(storage) ? storage : 'sqlite' }
}

function answered(answer: string | symbol): string {
  if (typeof answer === 'string' && !isCancel(answer)) return answer
  cancel('Nothing was written.')
  throw new CliError('Stopped.', EXIT.findings)
}
