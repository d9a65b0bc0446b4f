import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { useThisYear } from '@/components/app/clock'
import { useCurrentUser } from '@/components/app/current-user'
import { StatusDot } from '@/components/app/status-dot'
import { type Choice, ChoiceList } from '@/components/ui/choice-list'
import { peopleQuery } from '@/lib/api/queries'
import { CONTACT_MODES, LEAD_STATUSES, type ListDescription, LISTS } from '@/lib/contract/lists'
import { isAnySet, isToDo } from '@/lib/inbox/filter-params'
import { chosenStates, STATE_CHOICES, type StatusChoice, withStatusChoice } from '@/lib/inbox/filter-states'
import { yearChoices } from '@/lib/leads/enrollment-year'
import { type FilterName, filterNames, useFilterTexts } from './filter-chips'
import type { InboxState } from './inbox-state'
import { useTopicChoices } from '@/components/app/topics'
import { PeriodChoices } from './period-choices'
import { useActs, useInbox } from './use-inbox'

export { FilterChips, QueueTopicChip } from './filter-chips'

type FilterPanelProps = { description: ListDescription; close: () => void }

/** A row for each filter and what it is set to; a row leads to its choices, in its place. */
export function FilterPanel(props: FilterPanelProps) {
  const t = useTranslations('inbox.filter')
  const [at, setAt] = useState<FilterName | null>(null)
  const [left, setLeft] = useState<FilterName>('assignee')
  if (at === null) return <FilterRows {...props} from={left} open={setAt} />
  const Choices = CHOICES[at]
  return (
    <>
      <button type="button" autoFocus onClick={() => (setLeft(at), setAt(null))} className={`${rowClass} font-medium`}>
        <ChevronLeft className="size-4 shrink-0 text-mute" />
        <span className="sr-only">{t('back')}</span>
        {t(at)}
      </button>
      <hr className="my-1 border-line-soft" />
      <Choices {...props} name={t(at)} />
    </>
  )
}

const rowClass =
  'flex min-h-8.5 w-full items-center gap-3 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2 touch:min-h-11'

type FilterRowsProps = FilterPanelProps & { from: FilterName; open: (name: FilterName) => void }

function FilterRows({ description, from, open, close }: FilterRowsProps) {
  const t = useTranslations('inbox.filter')
  const { texts, params } = useFilterTexts()
  const { clearFilters, ask } = useActs()
  const acts = [
    ...(isAnySet(params) || isToDo(params) ? [['clearAll', clearFilters] as const] : []),
    ['save', () => ask({ kind: 'save-view' })] as const,
  ]
  return (
    <>
      {filterNames(description).map((name) => (
        <button key={name} type="button" autoFocus={name === from} onClick={() => open(name)} className={rowClass}>
          <span className="shrink-0">{t(name)}</span>
          <span className="ml-auto min-w-0 truncate text-mute">
            {name === 'sort' ? texts.sort : (texts[name] ?? t(`any.${name}`))}
          </span>
        </button>
      ))}
      <hr className="my-1 border-line-soft" />
      {acts.map(([name, act]) => (
        <button key={name} type="button" onClick={() => (close(), act())} className={rowClass}>
          {t(name)}
        </button>
      ))}
    </>
  )
}

type ChoicesProps = { name: string; description: ListDescription; close: () => void }

const askedIn = ({ filters, counts }: InboxState) => ({ ...filters, counts })

function useFilters() {
  return { ...useInbox(askedIn), set: useActs().setFilters }
}

function StatusChoices({ name }: ChoicesProps) {
  const { params, query, set, counts } = useFilters()
  const t = useTranslations()
  const states = chosenStates(params, query)
  const chosen = [...params.status, ...STATE_CHOICES.filter((state) => states.includes(state))]
  return (
    <CountedChoices<StatusChoice>
      name={name}
      choices={[
        ...LEAD_STATUSES.map((value) => ({
          value,
          label: t(`common.status.${value}`),
          icon: <StatusDot status={value} />,
        })),
        ...STATE_CHOICES.map((value) => ({ value, label: t(`inbox.state.${value}`) })),
      ]}
      counts={counts && { ...counts.status, ...counts.hidden, late: counts.late, fresh: counts.fresh }}
      uncounted={['followUp', 'unanswered', 'answered']}
      searchableFrom={Infinity}
      chosen={chosen}
      onChange={(next = []) => {
        const is = (list: readonly StatusChoice[] | null, one: StatusChoice) => list?.includes(one) === true
        const turned = [...LEAD_STATUSES, ...STATE_CHOICES].find((one) => is(next, one) !== is(chosen, one))
        if (turned !== undefined) set(withStatusChoice(params, turned, is(next, turned)))
      }}
    />
  )
}

function ModeChoices({ name }: ChoicesProps) {
  const t = useTranslations('inbox.mode')
  return <FilterList name={name} is="mode" choices={CONTACT_MODES.map((value) => ({ value, label: t(value) }))} />
}

function TopicChoices({ name, searchableFrom }: Pick<FilterListProps, 'name' | 'searchableFrom'>) {
  const choices = useTopicChoices(useFilters().params.topic)
  return <FilterList name={name} is="topic" choices={choices} searchableFrom={searchableFrom} />
}

/** The filter of a queue, which has no other. */
export function QueueTopics() {
  const t = useTranslations('inbox.filter')
  return (
    <>
      <p className="px-2.5 py-1.5 text-sm font-medium">{t('topic')}</p>
      <TopicChoices name={t('topic')} searchableFrom={Infinity} />
    </>
  )
}

function YearChoices({ name }: ChoicesProps) {
  const { params, set, counts } = useFilters()
  const t = useTranslations('inbox.filter')
  const counted = Object.keys(counts?.year ?? {}).map(Number)
  const { years, others } = yearChoices(useThisYear(), counted, params.year)
  const isOther = (year: number) => others.includes(year)
  const sum = others.reduce((all, year) => all + (counts?.year[String(year)] ?? 0), 0)
  const chosen = params.year.filter((year) => !isOther(year)).map(String)
  return (
    <CountedChoices
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

function AssigneeChoices({ name }: ChoicesProps) {
  const { counts } = useFilters()
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
  const withOwn = counts && { ...counts.assignee, ...(own !== undefined && { me: own }) }
  return <FilterList name={name} counts={withOwn} is="assignee" choices={choices} />
}

/** The orders to choose from; a search has one more, its own: best match first. */
function SortChoices({ name, description, close }: ChoicesProps) {
  const { query, set } = useFilters()
  const t = useTranslations('inbox.sort')
  const byItself = query.q === undefined ? '-createdAt' : 'relevance'
  const sort = query.sort ?? byItself
  const orders = [...(query.q === undefined ? [] : (['relevance'] as const)), ...LISTS[description.list].sorts]
  const group = useId()
  return (
    <fieldset className="flex flex-col">
      <legend className="sr-only">{name}</legend>
      {orders.map((choice) => (
        <label
          key={choice}
          className="flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 text-sm hover:bg-hover has-focus-visible:bg-hover touch:min-h-11"
        >
          <input
            type="radio"
            name={group}
            checked={choice === sort}
            onChange={() => set({ sort: choice === byItself || choice === 'relevance' ? null : choice })}
            onClick={close}
            className="size-3.5 shrink-0"
          />
          {t(choice)}
        </label>
      ))}
    </fieldset>
  )
}

const CHOICES = {
  status: StatusChoices,
  year: YearChoices,
  mode: ModeChoices,
  topic: TopicChoices,
  assignee: AssigneeChoices,
  period: PeriodChoices,
  sort: SortChoices,
} satisfies Record<FilterName, unknown>

type FilterListProps = {
  name: string
  is: 'mode' | 'topic' | 'assignee'
  choices: readonly Choice<string>[]
  counts?: Readonly<Record<string, number>> | undefined
  searchableFrom?: number | undefined
}

function FilterList({ is, counts, ...list }: FilterListProps) {
  const { params, set, ...all } = useFilters()
  const onChange = (chosen: string[] | null) => set({ [is]: chosen })
  return <CountedChoices {...list} counts={counts ?? all.counts?.[is]} chosen={params[is]} onChange={onChange} />
}

type CountedChoicesProps<Value extends string> = {
  name: string
  choices: readonly Choice<Value>[]
  /** How many leads each would show; one that is missing shows none. Undefined until they are counted. */
  counts: Readonly<Record<string, number>> | undefined
  uncounted?: readonly Value[]
  chosen: readonly Value[]
  onChange: (chosen: Value[] | null) => void
  searchableFrom?: number | undefined
}

const SEARCHABLE_FROM = 9

function CountedChoices<Value extends string>({ choices, counts, uncounted, ...list }: CountedChoicesProps<Value>) {
  const t = useTranslations('inbox')
  const counted = choices.map((choice) =>
    counts === undefined || uncounted?.includes(choice.value)
      ? choice
      : { ...choice, note: t('total', { count: counts[choice.value] ?? 0 }) },
  )
  return (
    <ChoiceList
      name={list.name}
      choices={counted}
      chosen={list.chosen}
      onChange={(next) => list.onChange(next.length === 0 ? null : next)}
      words={{ find: t('filter.find') }}
      searchableFrom={list.searchableFrom ?? SEARCHABLE_FROM}
    />
  )
}
