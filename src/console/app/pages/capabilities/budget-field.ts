import { useState } from 'preact/hooks'
import type { Capability } from '../../../../protocol/manifest.js'
import type { Budget } from '../../../../protocol/token.js'
import { markup } from '../../markup.js'
import { mostOf } from './cost.js'

/** The budget that the token begins with; none for what declares no cost. */
export const budgetFor = ({ cost }: Pick<Capability, 'cost'>): Budget | undefined =>
  cost?.financial === undefined ? undefined : { currency: cost.financial.currency, max_amount: mostOf(cost) ?? 0 }

interface BudgetProps {
  readonly budget: Budget
  readonly onChange: (budget: Budget) => void
}

/** At most what the call may cost. */
export function BudgetField({ budget, onChange }: BudgetProps) {
  const [typed, setTyped] = useState(String(budget.max_amount))
  const put = ({ target }: Event): void => {
    const text = (target as HTMLInputElement).value
    setTyped(text)
    if (isAmount(text)) onChange({ ...budget, max_amount: Number(text) })
  }
  return markup`
    <div class="field full">
      <label for="try-budget">Budget of the token, in ${budget.currency}</label>
      <input
        id="try-budget"
        type="text"
        inputmode="decimal"
        autocomplete="off"
        value=${typed}
        aria-invalid=${!isAmount(typed)}
        onInput=${put}
      />
    </div>
  `
}

const isAmount = (text: string): boolean => /^\d{1,12}(?:\.\d{1,4})?$/u.test(text.trim())
