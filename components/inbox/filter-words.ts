import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useThisYear, useToday } from '@/components/browser/clock'
import { useSchoolNames } from '@/components/desk/schools'
import { peopleQuery } from '@/lib/api/queries'
import { isPlausibleYear, type ListDescription } from '@/lib/contract/lists'
import type { FilterChange } from '@/lib/inbox/filter-params'
import { chosenStates, presetOf, withoutState } from '@/lib/inbox/filter-states'
import { DAY_AND_MONTH, formatDate } from '@/lib/time/format-time'
import { type Period, stockholmDay } from '@/lib/time/stockholm'
import type { ListFilters } from './list-filters'

/** The rows of the filter, in their order. */
export function filterNames({ ownFilter }: ListDescription) {
  return ['assignee', 'status', 'school', ownFilter, 'period', 'sort'] as const
}
export type FilterName = ReturnType<typeof filterNames>[number]

/** What each filter is set to, shortened to its first choice; null for none. */
export function useFilterTexts({ params, query }: ListFilters) {
  const t = useTranslations()
  const schools = useSchoolNames()
  const assignees = useAssigneeText(params.assignee)
  const thisYear = useThisYear()
  // Those that cannot be right are one.
  const years = [...new Set(params.year.map((year) => (isPlausibleYear(year, thisYear) ? String(year) : null)))]
  const year = (one: string | null) =>
    one === null ? t('inbox.filter.otherYear') : t('inbox.filter.start', { year: one })
  const first = ([one, ...others]: readonly string[]) => {
    if (one === undefined) return null
    return others.length === 0 ? one : t('inbox.filter.more', { first: one, count: String(others.length) })
  }
  const byItself = query.q === undefined ? '-createdAt' : 'relevance'
  const statuses = params.status.map((status) => t(`common.status.${status}`))
  const states = chosenStates(params, query).map((state) => ({ state, text: t(`inbox.state.${state}`) }))
  const texts: Record<FilterName, string | null> = {
    assignee: first(params.assignee.map(assignees)),
    status: first([...statuses, ...states.map(({ text }) => text)]),
    school: first(params.school.map(schools.byId)),
    mode: first(params.mode.map((mode) => t(`inbox.mode.${mode}`))),
    year: first(years.map(year)),
    period: usePeriodText({ from: params.from, to: params.to }),
    sort: t(`inbox.sort.${query.sort ?? byItself}`),
  }
  return { texts, status: first(statuses), states }
}

/** What is set besides the switch, one by one. The schools stand above every screen, and the order leaves nothing out. */
export function useSetFilters({ ownFilter }: ListDescription, filters: ListFilters) {
  const t = useTranslations('inbox.filter')
  const { texts, status, states } = useFilterTexts(filters)
  const chip = (key: string, label: string, text: string, change: FilterChange) => ({
    key,
    label: t('remove', { name: label }),
    text,
    remove: () => filters.set(change),
  })
  const named = (name: FilterName, text: string | null, nothing: FilterChange) =>
    text === null ? [] : [chip(name, `${t(name)}: ${text}`, text, nothing)]
  return [
    ...named('assignee', texts.assignee, { assignee: null }),
    ...named('status', status, { status: null }),
    ...states.map(({ state, text }) => chip(state, text, text, withoutState(state))),
    ...named(ownFilter, texts[ownFilter], { [ownFilter]: null }),
    ...named('period', texts.period, { from: null, to: null }),
  ]
}

/** What an assignee is called in a filter. Names are fetched only when a person is chosen by name. */
function useAssigneeText(chosen: readonly string[]): (value: string) => string {
  const t = useTranslations('inbox.filter')
  const isNamed = chosen.some((value) => value !== 'me' && value !== 'none')
  const { data } = useQuery({ ...peopleQuery, enabled: isNamed })
  return (value) => {
    if (value === 'me') return t('mine')
    if (value === 'none') return t('unassigned')
    return data?.people.find(({ id }) => id === value)?.name ?? t('person')
  }
}

function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (period.from === null && period.to === null) return null
  const preset = presetOf(period, today)
  if (preset !== null) return t(`period.${preset}`)
  const day = (text: string | null) =>
    text && formatDate(Date.parse(`${text}T12:00:00Z`), { ...DAY_AND_MONTH, year: 'numeric' }, locale)
  const [from, to] = [day(period.from) ?? '', day(period.to) ?? '']
  if (period.to === null) return t('filter.since', { from })
  if (period.from === null) return t('filter.until', { to })
  return from === to ? from : t('filter.between', { from, to })
}
