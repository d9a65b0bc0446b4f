import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useThisYear, useStartOfToday } from '@/components/app/clock'
import { useCurrentUser } from '@/components/app/current-user'
import { StatusDot } from '@/components/app/status-dot'
import { useTopicChoices } from '@/components/app/topics'
import type { Choice } from '@/components/ui/choice-list'
import { peopleQuery } from '@/lib/api/queries'
import { CONTACT_MODES, LEAD_STATUSES, type ListDescription } from '@/lib/contract/lists'
import { type FilterChange, listAssignees } from '@/lib/inbox/filter-params'
import { findFilterStates, STATE_CHOICES, STATUS_CHOICES, toggleStatusChoice } from '@/lib/inbox/filter-states'
import { findPreset, type Period } from '@/lib/inbox/period-presets'
import { listYearChoices } from '@/lib/leads/enrollment-year'
import { formatEpochDay } from '@/lib/time/format-date'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import { useInbox } from './use-inbox'

export function listFilterNames({ ownFilter }: ListDescription) {
  const ownNames = ownFilter === 'mode' ? (['topic', 'mode'] as const) : (['year'] as const)
  return ['assignee', 'status', ...ownNames, 'period'] as const
}
export type FilterName = ReturnType<typeof listFilterNames>[number]

/** `counts` says how many leads each choice would show, once the server has counted. */
type ChoiceFilter = {
  choices: readonly Choice<string>[]
  chosenValues: readonly string[]
  toChange: (chosenValues: readonly string[]) => FilterChange
  counts: Readonly<Record<string, number>> | undefined
}

/** Returns the filters with choices. Colleagues are fetched if the screen lists them, or to name a chosen one. */
export function useChoiceFilters({
  listsPeople,
}: {
  listsPeople: boolean
}): Record<Exclude<FilterName, 'period'>, ChoiceFilter> {
  const t = useTranslations()
  const { filters, counts } = useInbox()
  const { params, query } = filters
  const ownId = useCurrentUser()?.id ?? ''
  const hasNamedAssignee = params.assignee.some((value) => value !== 'me' && value !== 'none')
  const people = useQuery({ ...peopleQuery, enabled: listsPeople || hasNamedAssignee }).data?.people ?? []
  const topics = useTopicChoices(params.topic)
  const countedYears = Object.keys(counts?.year ?? {}).map(Number)
  const years = listYearChoices(useThisYear(), [...countedYears, ...params.year])
  const states = findFilterStates(query)
  const chosenStatuses = [...params.status, ...STATE_CHOICES.filter((state) => states.includes(state))]
  return {
    assignee: {
      choices: [
        { value: 'me', label: t('inbox.filter.mine') },
        { value: 'none', label: t('inbox.filter.unassigned') },
        ...people.flatMap(({ id, name }) => (id === ownId ? [] : [{ value: id, label: name }])),
      ],
      counts: counts && { ...counts.assignee, me: counts.assignee[ownId] ?? 0 },
      chosenValues: listAssignees(params, ownId),
      toChange: (assignee) => ({ assignee }),
    },
    status: {
      choices: [
        ...LEAD_STATUSES.map((value) => {
          return { value, label: t(`common.status.${value}`), icon: <StatusDot status={value} /> }
        }),
        ...STATE_CHOICES.map((value) => ({ value, label: t(`inbox.state.${value}`) })),
      ],
      counts: counts && { ...counts.status, ...counts.hidden, late: counts.late, fresh: counts.fresh },
      chosenValues: chosenStatuses,
      toChange: (next) => {
        // One press toggles one choice.
        const toggled = STATUS_CHOICES.find((choice) => next.includes(choice) !== chosenStatuses.includes(choice))
        return toggled === undefined ? {} : toggleStatusChoice(params, toggled, next.includes(toggled))
      },
    },
    topic: { choices: topics, counts: counts?.topic, chosenValues: params.topic, toChange: (topic) => ({ topic }) },
    mode: {
      choices: CONTACT_MODES.map((value) => ({ value, label: t(`inbox.mode.${value}`) })),
      counts: counts?.mode,
      chosenValues: params.mode,
      toChange: (modes) => ({ mode: CONTACT_MODES.filter((mode) => modes.includes(mode)) }),
    },
    year: {
      choices: years.map((year) => ({ value: String(year), label: String(year) })),
      counts: counts?.year,
      chosenValues: params.year.map(String),
      toChange: (chosenYears) => ({ year: chosenYears.map(Number) }),
    },
  }
}

/** Returns a text for each filter, or null if it is not set, and one for each state. */
export function useFilterTexts() {
  const t = useTranslations()
  const { assignee, topic, mode, year } = useChoiceFilters({ listsPeople: false })
  const { params, query } = useInbox().filters
  const join = (texts: readonly string[]) => (texts.length === 0 ? null : texts.join(', '))
  const joinLabels = ({ choices, chosenValues }: ChoiceFilter) =>
    join(chosenValues.map((id) => choices.find(({ value }) => value === id)?.label ?? t('inbox.filter.person')))
  const years = joinLabels(year)
  const statusTexts = params.status.map((status) => t(`common.status.${status}`))
  const states = findFilterStates(query).map((name) => ({ name, text: t(`inbox.state.${name}`) }))
  const texts: Record<FilterName, string | null> = {
    assignee: joinLabels(assignee),
    status: join([...statusTexts, ...states.map(({ text }) => text)]),
    topic: joinLabels(topic),
    mode: joinLabels(mode),
    year: years && t('inbox.filter.start', { year: years }),
    period: usePeriodText(params),
  }
  return { texts, statusText: join(statusTexts), states }
}

function usePeriodText(period: Period): string | null {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const preset = findPreset(period, toStockholmDay(useStartOfToday()))
  if (preset !== null) return t(`period.${preset}`)
  const [from, to] = [period.from, period.to].map((day) => day && formatEpochDay(parseIsoDay(day), 'full', locale))
  if (from && to) return from === to ? from : t('filter.between', { from, to })
  if (from) return t('filter.since', { from })
  return to ? t('filter.until', { to }) : null
}
