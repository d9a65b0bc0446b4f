import { useTranslations } from 'next-intl'
import type { ListCounts } from '@/lib/contract/list-query'
import type { FilterParams } from '@/lib/inbox/filter-params'
import type { ListFilters } from './list-filters'

type WorkChipsProps = { filters: ListFilters; counts: ListCounts | undefined }

/** What somebody has to answer, and how much of it is late: each a press away, and offered only where there is any. */
export function WorkChips({ filters, counts }: WorkChipsProps) {
  const t = useTranslations('inbox.work')
  const waiting = Object.values(counts?.waiting ?? {}).reduce((sum, count) => sum + count, 0)
  const numbers = { waiting, late: counts?.late ?? 0 }
  return (['waiting', 'late'] as const).map((name) => {
    const isOn = filters.params[name] === '1'
    if (!isOn && numbers[name] === 0) return null
    const other = name === 'waiting' ? 'late' : 'waiting'
    return (
      <button
        key={name}
        type="button"
        aria-pressed={isOn}
        onClick={() => filters.set({ [name]: isOn ? null : '1', [other]: null })}
        className="chip tabular px-2.5"
      >
        {t(`count.${name}`, { count: numbers[name] })}
      </button>
    )
  })
}

const NO_CHOICE = { answered: null, followUp: null, snoozed: null, earlier: null }

/** What else a lead can be to the work, one at a time. */
export const WORK_CHOICES = {
  followUp: { ...NO_CHOICE, followUp: '1' },
  snoozed: { ...NO_CHOICE, snoozed: '1' },
  answered: { ...NO_CHOICE, answered: '1' },
  unanswered: { ...NO_CHOICE, answered: '0' },
  earlier: { ...NO_CHOICE, earlier: '1' },
} as const
export type WorkChoice = keyof typeof WORK_CHOICES

/** Which of them is chosen; several can only be in an address that somebody wrote. */
export function workChoiceOf({ followUp, snoozed, answered, earlier }: FilterParams): WorkChoice | null {
  if (followUp === '1') return 'followUp'
  if (snoozed === '1') return 'snoozed'
  if (answered !== null) return answered === '1' ? 'answered' : 'unanswered'
  return earlier === '1' ? 'earlier' : null
}

export const noWorkChoice = NO_CHOICE
