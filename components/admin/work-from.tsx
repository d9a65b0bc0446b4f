import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useIsListMissing } from '@/components/desk/feed-status'
import { SettingsForm, useSaveForm } from '@/components/desk/save'
import { Input } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { api } from '@/lib/api/call'
import { requestCounts } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import type { AdmissionCycle, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { cycleDate, defaultCohort } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'

/** A form for some of the settings of the work. Rows and numbers change with them, in this tab at once. */
export function useSaveWork(values: WorkSettingsChange, onSaved: (settings: WorkSettings) => void) {
  const t = useTranslations('work')
  return useSaveForm({
    values,
    send: (body) => api('PATCH /api/settings', { body }),
    done: t('saved'),
    failed: t('failed'),
    refresh: 'all',
    onSaved,
  })
}

export type WorkPartProps = { settings: WorkSettings; onSaved: (settings: WorkSettings) => void }

const CHOICES = ['today', 'year', 'all', 'own'] as const

export function WorkFrom({ settings: { work }, cycle, onSaved }: WorkPartProps & { cycle: AdmissionCycle }) {
  const t = useTranslations('work.from')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  const cohort = defaultCohort(today, cycle)
  const year = dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1)
  const usual = { today, year, all: null }
  const isOwn = work !== null && ![today, year, null].includes(work.from)
  const saved = isOwn ? 'own' : (['all', 'today', 'year'] as const).find((name) => usual[name] === work?.from)
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>(saved ?? 'today')
  const [own, setOwn] = useState(isOwn ? (work.from ?? '') : '')
  const days = { ...usual, own }
  const from = days[choice]
  const saving = useSaveWork({ work: { from } }, onSaved)
  const isPossible = choice !== 'own' || (own !== '' && own <= today)
  const longDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: longDate(today),
    year: t('yearHint', { day: longDate(year) }),
    all: t('allHint', { year: String(cohort) }),
    own: t('ownHint'),
  }
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      lead={t(work === null ? 'leadNever' : 'lead')}
      save={t('save')}
      disabled={!isPossible || work?.from === from}
    >
      <fieldset>
        <legend className="sr-only">{t('title')}</legend>
        {CHOICES.map((name) => (
          <DayChoice
            key={name}
            name={t(`choice.${name}`)}
            hint={hints[name]}
            day={days[name]}
            openYear={cohort}
            isChosen={choice === name}
            onChoose={() => setChoice(name)}
          >
            {name === 'own' && <OwnDay day={own} latest={today} onDay={setOwn} />}
          </DayChoice>
        ))}
      </fieldset>
    </SettingsForm>
  )
}

function OwnDay({ day, latest, onDay }: { day: string; latest: string; onDay: (day: string) => void }) {
  const t = useTranslations('work.from')
  return (
    <div className="pl-7">
      <Input
        type="date"
        aria-label={t('ownDay')}
        value={day}
        max={latest}
        onChange={({ target }) => onDay(target.value)}
        className="mt-2 max-w-44"
      />
      <ProblemText text={day > latest ? t('inFuture') : null} />
    </div>
  )
}

type DayChoiceProps = {
  name: string
  hint: string
  day: string | null
  openYear: number
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}

function DayChoice({ name, hint, day, openYear, isChosen, onChoose, children }: DayChoiceProps) {
  const t = useTranslations('work.from')
  const id = useId()
  const isThere = useIsListMissing(LEAD_LISTS) === false
  const { data, isError } = useQuery({ ...workPreview(day, openYear), enabled: day !== '' && isThere })
  const sum = (what: 'work' | 'earlier') => LEAD_LISTS.reduce((all, list) => all + (data?.[list][what] ?? 0), 0)
  return (
    <div className="border-b border-line-soft px-4 py-3 last:border-b-0 has-checked:bg-selected">
      <label className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent desk:grid-cols-[auto_1fr_auto]">
        <input
          type="radio"
          name="work-from"
          checked={isChosen}
          onChange={onChoose}
          aria-describedby={id}
          className="mt-1 size-4 focus-visible:outline-none"
        />
        <span className="min-w-0">
          <span className="block text-sm font-medium">{name}</span>
          <span suppressHydrationWarning className="block text-xs text-mute">
            {hint}
          </span>
        </span>
        <span
          id={id}
          className="tabular col-start-2 min-h-8 pt-1 text-xs text-mute desk:col-start-auto desk:pt-0 desk:text-right"
        >
          {data !== undefined && (
            <>
              <span className="block text-sm font-semibold text-ink">{t('toAnswer', { count: sum('work') })}</span>
              <span>{t('earlier', { count: sum('earlier') })}</span>
            </>
          )}
          {isError && <span>{t('unknown')}</span>}
        </span>
      </label>
      {isChosen && children}
    </div>
  )
}

type WorkPreview = Record<LeadList, { work: number; earlier: number }>

const PREVIEW_STALE_MS = 30_000

/** What would be work if it began on this day. `openYear`: the first cohort still open. */
function workPreview(from: string | null, openYear: number) {
  return queryOptions({
    queryKey: ['work-preview', from, openYear],
    queryFn: async ({ signal }): Promise<WorkPreview> => {
      const lists = await Promise.all(LEAD_LISTS.map((list) => previewOf(list, from, openYear, signal)))
      const [questions, declarations] = lists
      const none = { work: 0, earlier: 0 }
      return { 'asked-questions': questions ?? none, 'declarations-of-interest': declarations ?? none }
    },
    staleTime: PREVIEW_STALE_MS,
  })
}

async function previewOf(list: LeadList, from: string | null, openYear: number, signal: AbortSignal) {
  const since: LeadFilter = from === null ? {} : { from }
  const open: LeadFilter = { status: ['new', 'in-progress'], answered: false, snoozed: false }
  const [all, later, asking] = await Promise.all(
    [{}, since, { ...since, ...open }].map((filter) => requestCounts(list, filter, signal)),
  )
  const kept = later === undefined ? 0 : ofOpenYears(later, openYear)
  return { work: asking === undefined ? 0 : ofOpenYears(asking, openYear), earlier: (all?.total ?? 0) - kept }
}

function ofOpenYears({ total, year }: Pick<ListCounts, 'total' | 'year'>, openYear: number): number {
  return Object.entries(year).reduce(
    (rest, [cohort, count]) => (Number(cohort) < openYear ? rest - count : rest),
    total,
  )
}
