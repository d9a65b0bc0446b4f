import { X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { restoreFocus } from '@/components/ui/focus-return'
import type { FilterChange } from '@/lib/inbox/filter-params'
import { removeState } from '@/lib/inbox/filter-states'
import { listFilterNames, useFilterTexts } from './filter-choices'
import { useInbox } from './use-inbox'

type FilterChip = { name: string; label: string; text: string; change: FilterChange }

/** Shows a button for each filter that is set, which removes it. Each state of work has a button of its own. */
export function FilterChips() {
  const t = useTranslations('inbox.filter')
  const { description, actions } = useInbox()
  const { texts, statusText, states } = useFilterTexts()
  const stateChips = states.map(({ name, text }) => ({ name, label: text, text, change: removeState(name) }))
  const isInQueue = description === null
  const names = isInQueue ? (['topic'] as const) : listFilterNames(description)
  const chips = names.flatMap((name): FilterChip[] => {
    const text = name === 'status' ? statusText : texts[name]
    const change: FilterChange = name === 'period' ? { from: null, to: null } : { [name]: null }
    const chip = text === null ? [] : [{ name, label: `${t(name)}: ${text}`, text, change }]
    return name === 'status' ? [...chip, ...stateChips] : chip
  })
  return (
    <div
      className={`${isInQueue ? 'min-w-36' : 'min-w-0'} flex h-7 flex-1 gap-1.5 overflow-x-auto mask-r-from-85% [scrollbar-width:none] touch:h-11 print:h-auto print:flex-wrap print:mask-none`}
    >
      {chips.map(({ name, label, text, change }) => (
        <button
          key={name}
          type="button"
          data-on
          data-prints=""
          aria-label={t('remove', { name: label })}
          onClick={({ currentTarget: { nextElementSibling, previousElementSibling } }) => {
            actions.setFilters(change)
            // The focus moves after React has removed this button, or it would be lost with it.
            setTimeout(() => restoreFocus(nextElementSibling ?? previousElementSibling))
          }}
          className="chip max-w-full shrink-0 gap-1 rounded-md! pr-1.5 pl-2.5"
        >
          <span className="truncate">{text}</span>
          <X className="size-3 shrink-0 text-mute print:hidden" />
        </button>
      ))}
    </div>
  )
}
