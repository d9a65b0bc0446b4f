import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useNothingYet } from '@/components/desk/feed-status'
import { Input } from '@/components/ui/field'
import { ProblemText } from '@/components/ui/notice'
import { workPreview } from '@/lib/api/queries'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { WorkSettings } from '@/lib/contract/work-settings'
import { cycleDate, defaultCohort } from '@/lib/interest/cohort'
import { formatted } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { useSaveWork } from './save-work'
import { WorkSection } from './work-section'

type WorkFromProps = {
  settings: WorkSettings
  cycle: AdmissionCycle
  onSaved: (settings: WorkSettings) => void
}

const CHOICES = ['today', 'year', 'all', 'own'] as const
type Choice = (typeof CHOICES)[number]

/** From which day leads count as work, with what that would mean, before it is saved. */
export function WorkFrom({ settings: { work }, cycle, onSaved }: WorkFromProps) {
  const t = useTranslations('work.from')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  const cohort = defaultCohort(today, cycle)
  const yearBegins = dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1)
  const days = { today, year: yearBegins, all: null }
  const saved = choiceOf(work, days)
  const [choice, setChoice] = useState<Choice>(saved ?? 'today')
  const [own, setOwn] = useState(saved === 'own' ? (work?.from ?? '') : '')
  const { busy, save } = useSaveWork(onSaved)
  const isPast = own !== '' && own <= today
  const from = choice === 'own' ? own : days[choice]
  const isSame = work !== null && work.from === from
  const named = (day: string) => formatted(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: named(today),
    year: t('yearHint', { day: named(yearBegins) }),
    all: t('allHint', { year: String(cohort) }),
    own: t('ownHint'),
  }
  return (
    <WorkSection
      title={t('title')}
      lead={t(work === null ? 'leadNever' : 'lead')}
      save={t('save')}
      busy={busy}
      disabled={isSame || (choice === 'own' && !isPast)}
      onSave={() => void save({ work: { from } })}
    >
      <fieldset>
        <legend className="sr-only">{t('title')}</legend>
        {CHOICES.map((name) => (
          <DayChoice
            key={name}
            name={t(`choice.${name}`)}
            hint={hints[name]}
            day={name === 'own' ? own : days[name]}
            openYear={cohort}
            isChosen={choice === name}
            onChoose={() => setChoice(name)}
            below={name === 'own' && <OwnDay day={own} latest={today} onDay={setOwn} />}
          />
        ))}
      </fieldset>
    </WorkSection>
  )
}

function OwnDay({ day, latest, onDay }: { day: string; latest: string; onDay: (day: string) => void }) {
  const t = useTranslations('work.from')
  return (
    <>
      <Input
        type="date"
        aria-label={t('ownDay')}
        value={day}
        max={latest}
        onChange={(event) => onDay(event.target.value)}
        className="mt-2 max-w-44"
      />
      <ProblemText text={day > latest ? t('inFuture') : null} />
    </>
  )
}

function choiceOf(work: WorkSettings['work'], days: Record<'today' | 'year' | 'all', string | null>): Choice | null {
  if (work === null) return null
  return (['all', 'today', 'year'] as const).find((name) => days[name] === work.from) ?? 'own'
}

type DayChoiceProps = {
  name: string
  hint: string
  day: string | null
  openYear: number
  isChosen: boolean
  onChoose: () => void
  /** What is shown with it while it is chosen. */
  below: ReactNode
}

/** One of the days, with how much would be work and how much earlier. */
function DayChoice({ name, hint, day, openYear, isChosen, onChoose, below }: DayChoiceProps) {
  const t = useTranslations('work.from')
  const group = useId()
  const isThere = useNothingYet(LEAD_LISTS) === false
  const { data, isError } = useQuery({ ...workPreview(day, openYear), enabled: day !== '' && isThere })
  const lists = data && Object.values(data)
  const sum = (what: 'work' | 'earlier') => lists?.reduce((all, list) => all + list[what], 0) ?? 0
  return (
    <div className="border-b border-line-soft px-4 py-3 last:border-b-0 has-checked:bg-selected">
      <label className="grid cursor-pointer grid-cols-[auto_1fr] gap-x-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent desk:grid-cols-[auto_1fr_auto]">
        <input
          type="radio"
          name="work-from"
          checked={isChosen}
          onChange={onChoose}
          aria-describedby={group}
          className="mt-1 size-4 focus-visible:outline-none"
        />
        <span className="min-w-0">
          <span className="block text-sm font-medium">{name}</span>
          <span suppressHydrationWarning className="block text-xs text-mute">
            {hint}
          </span>
        </span>
        <span
          id={group}
          className="tabular col-start-2 min-h-8 pt-1 text-xs text-mute desk:col-start-auto desk:pt-0 desk:text-right"
        >
          {data !== undefined && (
            <>
              <span className="block text-sm font-semibold text-ink">{t('toAnswer', { count: sum('work') })}</span>
              {t('earlier', { count: sum('earlier') })}
            </>
          )}
          {isError && t('unknown')}
        </span>
      </label>
      {isChosen && below !== false && <div className="pl-7">{below}</div>}
    </div>
  )
}
