import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useThisYear, useToday } from '@/components/app/clock'
import { peopleQuery } from '@/lib/api/queries'
import { isPlausibleYear, type ListDescription } from '@/lib/contract/lists'
import type { FilterChange } from '@/lib/inbox/filter-params'
import { chosenStates, presetOf, withoutState } from '@/lib/inbox/filter-states'
import { DAY_AND_MONTH, formatDate } from '@/lib/time/format-time'
import { type Period, stockholmDay } from '@/lib/time/stockholm'
import type { InboxState } from './inbox-state'
import { useTopicChoices } from '@/components/app/topics'
import { useActs, useInbox } from './use-inbox'

/** One line, which scrolls where they find no room; the filters say them all. */
export function FilterChips({ description }: { description: ListDescription }) {
  return (
    <div className="flex h-7 min-w-0 flex-1 gap-1.5 overflow-x-auto mask-r-from-85% [scrollbar-width:none] touch:h-11 print:h-auto print:flex-wrap print:mask-none">
      {useChips(description).map((chip) => (
        <Chip key={chip.name} {...chip} className="max-w-full shrink-0" />
      ))}
    </div>
  )
}

export function QueueTopicChip() {
  const t = useTranslations('inbox.filter')
  const { topic } = useFilterTexts().texts
  return topic && <Chip label={`${t('topic')}: ${topic}`} text={topic} change={{ topic: null }} className="min-w-0" />
}

type ChipProps = { label: string; text: string; change: FilterChange; className: string }

/** What is set; pressed, it makes the `change` that takes it away. */
function Chip({ label, text, change, className }: ChipProps) {
  const t = useTranslations('inbox.filter')
  const { setFilters } = useActs()
  return (
    <button
      type="button"
      data-on
      data-prints=""
      aria-label={t('remove', { name: label })}
      onClick={() => setFilters(change)}
      className={`chip gap-1 rounded-md! pr-1.5 pl-2.5 ${className}`}
    >
      <span className="truncate">{text}</span>
      <X className="size-3 shrink-0 text-mute print:hidden" />
    </button>
  )
}

export function filterNames({ ownFilter }: ListDescription) {
  const own = ownFilter === 'mode' ? (['topic', 'mode'] as const) : (['year'] as const)
  return ['assignee', 'status', ...own, 'period', 'sort'] as const
}
export type FilterName = ReturnType<typeof filterNames>[number]

const filtersIn = ({ filters }: InboxState) => filters

/** What each filter is set to, shortened to its first choice; null for none. */
export function useFilterTexts() {
  const { params, query } = useInbox(filtersIn)
  const t = useTranslations()
  const assignees = useAssigneeText(params.assignee)
  const topics = useTopicChoices(params.topic)
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
    topic: first(topics.flatMap(({ value, label }) => (params.topic.includes(value) ? [label] : []))),
    mode: first(params.mode.map((mode) => t(`inbox.mode.${mode}`))),
    year: first(years.map(year)),
    period: usePeriodText({ from: params.from, to: params.to }),
    sort: t(`inbox.sort.${query.sort ?? byItself}`),
  }
  return { params, texts, status: first(statuses), states }
}

/** What is set besides the switch, one by one. The schools stand above every screen, and the order leaves nothing out. */
function useChips({ ownFilter }: ListDescription) {
  const t = useTranslations('inbox.filter')
  const { texts, status, states } = useFilterTexts()
  const named = (name: FilterName, text: string | null, change: FilterChange) =>
    text === null ? [] : [{ name, label: `${t(name)}: ${text}`, text, change }]
  return [
    ...named('assignee', texts.assignee, { assignee: null }),
    ...named('status', status, { status: null }),
    ...states.map(({ state, text }) => ({ name: state, label: text, text, change: withoutState(state) })),
    ...(ownFilter === 'mode' ? named('topic', texts.topic, { topic: null }) : []),
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
