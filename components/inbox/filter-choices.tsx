import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useThisYear, useToday } from '@/components/browser/clock'
import { useCurrentUser } from '@/components/desk/current-user'
import { StatusDot } from '@/components/triage/status-dot'
import { type Choice, ChoiceList } from '@/components/ui/choice-list'
import { PeriodPicker } from '@/components/ui/period-picker'
import { highSchools, peopleQuery } from '@/lib/api/queries'
import type { ListCounts } from '@/lib/contract/list-query'
import { CONTACT_MODES, LEAD_STATUSES } from '@/lib/contract/lists'
import { PERIOD_PRESETS, periodOf, presetOf } from '@/lib/inbox/filter-params'
import { yearChoices } from '@/lib/inbox/year-choices'
import { stockholmDay } from '@/lib/time/stockholm'
import type { ListFilters } from './list-filters'

type ChoicesProps = {
  name: string
  filters: ListFilters
  counts: ListCounts | undefined
  close: () => void
}

export function StatusChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('common.status')
  const choices = LEAD_STATUSES.map((value) => ({ value, label: t(value), icon: <StatusDot status={value} /> }))
  return (
    <FilterList
      name={name}
      choices={choices}
      counts={counts?.status}
      chosen={params.status}
      onChange={(status) => set({ status })}
    />
  )
}

/** How the sender wants the answer. */
export function ModeChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.mode')
  const choices = CONTACT_MODES.map((value) => ({ value, label: t(value) }))
  return (
    <FilterList
      name={name}
      choices={choices}
      counts={counts?.mode}
      chosen={params.mode}
      onChange={(mode) => set({ mode })}
    />
  )
}

/** Each year, and last all that cannot be right as one. */
export function YearChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.filter')
  const counted = Object.keys(counts?.year ?? {}).map(Number)
  const { years, others } = yearChoices(useThisYear(), counted, params.year)
  const isOther = (year: number) => others.includes(year)
  const sum = others.reduce((all, year) => all + (counts?.year[String(year)] ?? 0), 0)
  const chosen = params.year.filter((year) => !isOther(year)).map(String)
  return (
    <FilterList
      name={name}
      choices={[
        ...years.map((year) => ({ value: String(year), label: String(year) })),
        ...(others.length > 0 ? [{ value: OTHER, label: t('otherYear') }] : []),
      ]}
      counts={counts && { ...counts.year, [OTHER]: sum }}
      chosen={params.year.some(isOther) ? [...chosen, OTHER] : chosen}
      onChange={(next) => set({ year: next && next.flatMap((value) => (value === OTHER ? others : [Number(value)])) })}
    />
  )
}

const OTHER = 'other'

export function SchoolChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const { data } = useQuery(highSchools)
  const known = (data?.highSchools ?? []).map(({ id, name: label }) => ({ value: id, label }))
  const unknown = params.school.filter((id) => known.every(({ value }) => value !== id))
  return (
    <FilterList
      name={name}
      choices={[...known, ...unknown.map((id) => ({ value: id, label: id }))]}
      counts={counts?.school}
      chosen={params.school}
      onChange={(school) => set({ school })}
    />
  )
}

export function AssigneeChoices({ name, filters: { params, set }, counts }: ChoicesProps) {
  const t = useTranslations('inbox.filter')
  const ownId = useCurrentUser()?.id ?? ''
  const { data } = useQuery(peopleQuery)
  const others = (data?.people ?? []).filter(({ id }) => id !== ownId)
  const choices = [
    { value: 'me', label: t('mine') },
    { value: 'none', label: t('unassigned') },
    ...others.map((person) => ({ value: person.id, label: person.name })),
  ]
  const own = counts?.assignee[ownId]
  return (
    <FilterList
      name={name}
      choices={choices}
      counts={counts && { ...counts.assignee, ...(own !== undefined && { me: own }) }}
      chosen={params.assignee}
      onChange={(assignee) => set({ assignee })}
    />
  )
}

/** When leads came: the last days, or any days of the person's choice. */
export function PeriodChoices({ filters: { params, set }, close }: ChoicesProps) {
  const t = useTranslations('inbox')
  const today = stockholmDay(useToday())
  const period = { from: params.from, to: params.to }
  return (
    <PeriodPicker
      presets={PERIOD_PRESETS.map((value) => ({ value, label: t(`period.${value}`) }))}
      preset={presetOf(period, today)}
      period={period}
      words={{ from: t('filter.from'), to: t('filter.to'), done: t('filter.done') }}
      latest={today}
      onPreset={(preset) => set(periodOf(preset, today))}
      onPeriod={set}
      close={close}
    />
  )
}

type FilterListProps<Value> = {
  name: string
  choices: readonly Choice<Value>[]
  /** How many leads each would show; one that is missing shows none. Undefined until they are counted. */
  counts: Readonly<Record<string, number>> | undefined
  chosen: readonly Value[]
  onChange: (chosen: Value[] | null) => void
}

const SEARCHABLE_FROM = 9

/** The choices of a filter that takes any of several values, each with how many leads it would show. */
function FilterList<Value extends string | number>({
  name,
  choices,
  counts,
  chosen,
  onChange,
}: FilterListProps<Value>) {
  const t = useTranslations('inbox')
  const counted = choices.map((choice) =>
    counts === undefined ? choice : { ...choice, note: t('total', { count: counts[String(choice.value)] ?? 0 }) },
  )
  return (
    <ChoiceList
      name={name}
      choices={counted}
      chosen={chosen}
      onChange={(next) => onChange(next.length === 0 ? null : next)}
      words={{ find: t('filter.find'), none: t('filter.notFound') }}
      searchableFrom={SEARCHABLE_FROM}
    />
  )
}
