import { useTranslations } from 'next-intl'
import { useId } from 'react'
import type { ListCounts } from '@/lib/contract/list-query'
import type { ListFilters } from './list-filters'
import { noWorkChoice, WORK_CHOICES, type WorkChoice, workChoiceOf } from './work-chips'

type WorkChoicesProps = { name: string; filters: ListFilters; counts: ListCounts | undefined; close: () => void }

/** What a lead is to the work, one at a time: the browser's own radio buttons. */
export function WorkChoices({ name, filters: { params, set }, counts }: WorkChoicesProps) {
  const t = useTranslations('inbox')
  const group = useId()
  const chosen = workChoiceOf(params)
  const hidden: Partial<Record<WorkChoice, number>> = counts?.hidden ?? {}
  const choices = ['any', 'unanswered', 'answered', 'followUp', 'snoozed', 'earlier'] as const
  return (
    <fieldset className="flex w-60 flex-col">
      <legend className="sr-only">{name}</legend>
      {choices.map((choice) => (
        <label
          key={choice}
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent touch:min-h-11"
        >
          <input
            type="radio"
            name={group}
            checked={choice === (chosen ?? 'any')}
            onChange={() => set(choice === 'any' ? noWorkChoice : WORK_CHOICES[choice])}
            className="size-3.5 shrink-0"
          />
          {t(`work.${choice}`)}
          {choice !== 'any' && (hidden[choice] ?? 0) > 0 && (
            <span className="tabular ml-auto text-xs text-faint">{t('total', { count: hidden[choice] ?? 0 })}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
