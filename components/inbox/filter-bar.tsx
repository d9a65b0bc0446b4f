'use client'

import { useTranslations } from 'next-intl'
import { lazy } from 'react'
import { STATUSES } from '@/lib/inbox/filter-params'
import type { ListCounts } from '@/lib/contract/list-counts'
import { FilterChip, ToggleChip } from './filter-chip'
import type { FilterName, ListDescription } from './lists'
import type { ListFilters } from './use-list-filters'
import { usePeriodText } from './use-period-text'
import { useSchoolNames } from './use-school-names'
import { useAssigneeText } from './use-assignee-text'

type FilterBarProps = { description: ListDescription; filters: ListFilters; counts: ListCounts | undefined }
type FilterProps = Omit<FilterBarProps, 'description'>

const Choices = {
  status: lazy(async () => ({ default: (await import('./filter-choices')).StatusChoices })),
  year: lazy(async () => ({ default: (await import('./filter-choices')).YearChoices })),
  mode: lazy(async () => ({ default: (await import('./filter-choices')).ModeChoices })),
  school: lazy(async () => ({ default: (await import('./filter-choices')).SchoolChoices })),
  assignee: lazy(async () => ({ default: (await import('./filter-choices')).AssigneeChoices })),
  period: lazy(async () => ({ default: (await import('./period-choices')).PeriodChoices })),
}

/** The filters as chips; on a phone in one line to draw along, so that the list keeps its room. */
export function FilterBar({ description, filters, counts, onSave }: FilterBarProps & { onSave: () => void }) {
  const t = useTranslations('inbox')
  return (
    <fieldset className="-mx-4 flex min-w-0 items-center gap-1.5 overflow-x-auto desk:gap-1 px-4 py-0.5 [scrollbar-width:none] desk:flex-wrap">
      <legend className="sr-only">{t('filters')}</legend>
      {description.filters.map((name) => (
        <Filter key={name} name={name} filters={filters} counts={counts} />
      ))}
      {filters.isFiltered && (
        <>
          <button type="button" onClick={filters.clear} aria-keyshortcuts="c" className={quietButton}>
            {t('filter.clearAll')}
          </button>
          <button type="button" onClick={onSave} className={quietButton}>
            {t('filter.save')}
          </button>
        </>
      )}
    </fieldset>
  )
}

const quietButton =
  'h-6.5 shrink-0 rounded-full px-1.5 text-xs text-mute underline-offset-2 hover:text-ink hover:underline touch:h-9'

function Filter({ name, filters, counts }: FilterProps & { name: FilterName }) {
  const t = useTranslations('inbox.filter')
  const text = useFilterText(name, filters, counts)
  if (name === 'fresh') {
    const isOn = filters.params.fresh !== null
    if (!isOn && (counts === undefined || counts.freshSince === null || counts.fresh === 0)) return null
    const count = counts === undefined || counts.freshSince === null ? undefined : counts.fresh
    return (
      <ToggleChip
        name={t('fresh')}
        count={count}
        isOn={isOn}
        onToggle={() => filters.set({ fresh: isOn ? null : '1' })}
      />
    )
  }
  const Content = Choices[name]
  return (
    <FilterChip
      name={t(name)}
      value={text}
      onClear={() => filters.set(name === 'period' ? { from: null, to: null } : { [name]: null })}
    >
      {(close) => <Content name={t(name)} filters={filters} counts={counts} close={close} />}
    </FilterChip>
  )
}

/** What a chip says once something is chosen. */
function useFilterText(name: FilterName, { params }: ListFilters, counts: ListCounts | undefined): string | null {
  const t = useTranslations()
  const schools = useSchoolNames()
  const assignees = useAssigneeText(params.assignee)
  const period = usePeriodText({ from: params.from, to: params.to })
  const first = <Value,>(chosen: readonly Value[], say: (value: Value) => string) => {
    const [one] = chosen
    if (one === undefined) return null
    return chosen.length === 1
      ? say(one)
      : t('inbox.filter.more', { first: say(one), count: String(chosen.length - 1) })
  }
  switch (name) {
    case 'status': {
      const text = first(params.status, (status) => t(`common.status.${status}`))
      const sum = STATUSES.reduce((all, one) => all + (params.status.includes(one) ? (counts?.status[one] ?? 0) : 0), 0)
      return text === null || counts === undefined ? text : t('inbox.filter.counted', { text, count: sum })
    }
    case 'year':
      return first(params.year, (year) => t('inbox.filter.start', { year: String(year) }))
    case 'mode':
      return first(params.mode, (mode) => t(`inbox.mode.${mode}`))
    case 'school':
      return first(params.school, schools.byId)
    case 'assignee':
      return first(params.assignee, assignees)
    case 'period':
      return period
    case 'fresh':
      return null
    default:
      return name satisfies never
  }
}
