'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { StatusDot } from '@/components/ui/status-dot'
import { MODES, STATUSES } from '@/lib/inbox/filter-params'
import { ChoiceFilter } from './choice-filter'
import type { FilterName, ListDescription } from './lists'
import { PeriodFilter } from './period-filter'
import type { ListFilters } from './use-list-filters'
import { useSchoolNames } from './use-school-names'

type FilterBarProps = { description: ListDescription; filters: ListFilters }

/** The filters as chips. The school is chosen in the sidebar; here it is shown, and can be taken away. */
export function FilterBar({ description, filters }: FilterBarProps) {
  const t = useTranslations('inbox')
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5">
      <legend className="sr-only">{t('filters')}</legend>
      {description.filters.map((name) => (
        <Filter key={name} name={name} filters={filters} />
      ))}
      <SchoolFilter filters={filters} />
      {filters.isFiltered && (
        <button
          type="button"
          onClick={filters.clear}
          className="h-6.5 rounded-full px-2 text-xs text-mute underline-offset-2 hover:text-ink hover:underline touch:h-9"
        >
          {t('filter.clearAll')}
        </button>
      )}
    </fieldset>
  )
}

function Filter({ name, filters }: { name: FilterName; filters: ListFilters }) {
  switch (name) {
    case 'status':
      return <StatusFilter filters={filters} />
    case 'year':
      return <YearFilter filters={filters} />
    case 'mode':
      return <ModeFilter filters={filters} />
    case 'period':
      return <PeriodFilter period={{ from: filters.params.from, to: filters.params.to }} onChange={filters.set} />
    default:
      return name satisfies never
  }
}

function StatusFilter({ filters: { params, set } }: { filters: ListFilters }) {
  const t = useTranslations()
  const choices = STATUSES.map((value) => ({
    value,
    label: t(`common.status.${value}`),
    icon: <StatusDot status={value} />,
  }))
  return (
    <ChoiceFilter
      name={t('inbox.filter.status')}
      choices={choices}
      chosen={params.status}
      onChange={(status) => set({ status })}
    />
  )
}

function ModeFilter({ filters: { params, set } }: { filters: ListFilters }) {
  const t = useTranslations('inbox')
  const choices = MODES.map((value) => ({ value, label: t(`mode.${value}`) }))
  return (
    <ChoiceFilter name={t('filter.mode')} choices={choices} chosen={params.mode} onChange={(mode) => set({ mode })} />
  )
}

const YEARS_BACK = 1
const YEARS_AHEAD = 4

/** The years that declarations are about now, and any other that the URL asks for. */
function YearFilter({ filters: { params, set } }: { filters: ListFilters }) {
  const t = useTranslations('inbox.filter')
  const [thisYear] = useState(() => new Date().getFullYear())
  const near = Array.from({ length: YEARS_BACK + 1 + YEARS_AHEAD }, (_, at) => thisYear - YEARS_BACK + at)
  const years = [...new Set([...near, ...params.year])].toSorted((a, b) => a - b)
  return (
    <ChoiceFilter
      name={t('year')}
      choices={years.map((value) => ({ value, label: String(value) }))}
      chosen={params.year}
      chipLabel={(year) => t('start', { year: String(year) })}
      onChange={(year) => set({ year })}
    />
  )
}

function SchoolFilter({ filters: { params, set } }: { filters: ListFilters }) {
  const t = useTranslations('inbox.filter')
  const schools = useSchoolNames()
  if (params.school.length === 0) return null
  return (
    <ChoiceFilter
      name={t('school')}
      choices={params.school.map((value) => ({ value, label: schools.byId(value) }))}
      chosen={params.school}
      onChange={(school) => set({ school })}
    />
  )
}
