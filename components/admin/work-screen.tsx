'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/app/clock'
import { SettingsForm, useSaveForm } from '@/components/app/save'
import { useTextSearch } from '@/components/ui/choice-list'
import { Input, Select, SelectField, TextField } from '@/components/ui/field'
import { TitledSection } from '@/components/ui/headings'
import { IconButton } from '@/components/ui/icon-button'
import { api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS, MAIL_WAYS, type MailWay } from '@/lib/contract/lists'
import type { AdmissionCycle, WorkSettings, WorkSettingsChange } from '@/lib/contract/settings'
import { cycleDate, defaultCohort } from '@/lib/interest/cohort'
import { formatDate } from '@/lib/time/format-time'
import { dayText, stockholmDay } from '@/lib/time/stockholm'
import { AdminPage } from './admin-page'
import { CycleForm } from './cycle-form'
import { Templates } from './templates-screen'

type WorkScreenProps = {
  initial: WorkSettings
  cycle: AdmissionCycle
  schools: readonly HighSchool[]
  canSend: boolean
  templates: ReplyTemplate[]
}

/** Each part is saved by itself. */
export function WorkScreen({ initial, cycle: initialCycle, schools, canSend, templates }: WorkScreenProps) {
  const t = useTranslations('work')
  const ofTemplates = useTranslations('templates')
  const [cycle, setCycle] = useState(initialCycle)
  return (
    <AdminPage title={t('title')} lead={t('lead')}>
      <div className="grid items-start gap-4 min-[70rem]:grid-cols-2">
        <ToDoForm initial={initial} cycle={cycle} />
        <CycleForm saved={cycle} onSaved={setCycle} />
      </div>
      <Schools initial={initial} schools={schools} canSend={canSend} />
      <TitledSection id="templates" title={ofTemplates('title')} hint={ofTemplates('lead')}>
        <Templates initial={templates} />
      </TitledSection>
    </AdminPage>
  )
}

const CHOICES = ['today', 'year', 'all', 'own'] as const
const MAX_DAYS = 10

/** From which day leads count as to do, and in how many days they are to be answered. */
function ToDoForm({ initial, cycle }: { initial: WorkSettings; cycle: AdmissionCycle }) {
  const t = useTranslations('work.toDo')
  const locale = useLocale()
  const [{ work, goals: savedGoals }, onSaved] = useState(initial)
  const today = stockholmDay(useToday())
  const cohort = defaultCohort(today, cycle)
  const year = dayText(cycleDate(cohort - 1, cycle.reservesEnd) + 1)
  const usual = { today, year, all: null }
  const isOwn = work !== null && ![today, year, null].includes(work.from)
  const saved = isOwn ? 'own' : (['all', 'today', 'year'] as const).find((name) => usual[name] === work?.from)
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>(saved ?? 'today')
  const [own, setOwn] = useState(isOwn ? (work.from ?? '') : '')
  const [goals, setGoals] = useState(savedGoals)
  const from = { ...usual, own }[choice]
  const isPossible = choice !== 'own' || (own !== '' && own <= today)
  const changes = {
    ...(work?.from !== from && { work: { from } }),
    ...(LEAD_KINDS.some((kind) => goals[kind] !== savedGoals[kind]) && { goals }),
  }
  const saving = useSaveWork(changes, onSaved)
  const longDate = (day: string) => formatDate(Date.parse(`${day}T12:00:00Z`), { dateStyle: 'long' }, locale)
  const hints = {
    today: longDate(today),
    year: t('yearHint', { day: longDate(year) }),
    all: t('allHint', { year: String(cohort) }),
    own: undefined,
  }
  // A script can set more days than are offered here.
  const most = Math.max(MAX_DAYS, ...Object.values(savedGoals).map(Number))
  const days = Array.from({ length: most }, (_, index) => [String(index + 1), t('days', { count: index + 1 })] as const)
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      lead={t(work === null ? 'leadNever' : 'lead')}
      disabled={!isPossible || Object.keys(changes).length === 0}
    >
      <div className="grid items-start gap-4 px-4 py-3 sm:grid-cols-2">
        <SelectField
          label={t('from')}
          hint={hints[choice]}
          value={choice}
          options={CHOICES.map((name) => [name, t(`choice.${name}`)])}
          onChoose={setChoice}
        />
        {choice === 'own' && (
          <TextField
            type="date"
            label={t('ownDay')}
            error={own > today ? t('inFuture') : undefined}
            value={own}
            max={today}
            onChange={({ target }) => setOwn(target.value)}
          />
        )}
        {LEAD_KINDS.map((kind) => (
          <SelectField
            key={kind}
            label={t(`goal.${kind}`)}
            value={String(goals[kind] ?? '')}
            options={[['', t('noGoal')], ...days]}
            onChoose={(count) => setGoals({ ...goals, [kind]: count === '' ? null : Number(count) })}
            className="tabular"
          />
        ))}
      </div>
    </SettingsForm>
  )
}

const ROWS_OF_PAGE = 10

type SchoolsProps = Pick<WorkScreenProps, 'initial' | 'schools' | 'canSend'>
type SchoolChoice = { mailWay?: MailWay | ''; replyTo?: string }

/** A row for each school: how it mails, and where answers go. Without a value, the usual holds. */
function Schools({ initial, schools, canSend }: SchoolsProps) {
  const t = useTranslations('work.schools')
  const [settings, onSaved] = useState(initial)
  const { text, setText, shown } = useTextSearch(schools, ({ name }) => name)
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<Readonly<Record<string, SchoolChoice>>>({})
  const changed = (name: keyof SchoolChoice) =>
    Object.entries(chosen).flatMap(([id, { [name]: value = settings[name][id] ?? '' }]) =>
      value === (settings[name][id] ?? '') ? [] : [[id, value || null] as const],
    )
  const [mailWays, addresses] = [changed('mailWay'), changed('replyTo')]
  const count = new Set([...mailWays, ...addresses].map(([id]) => id)).size
  // A part without changes is not sent: the log would name it.
  const change: WorkSettingsChange = {
    ...(mailWays.length > 0 && { mailWay: Object.fromEntries(mailWays) as WorkSettingsChange['mailWay'] }),
    ...(addresses.length > 0 && { replyTo: Object.fromEntries(addresses) }),
  }
  const saving = useSaveWork(change, onSaved, (error) => (hasStatus(error, 400) ? t('wrongAddress') : undefined))
  const first = page * ROWS_OF_PAGE
  const last = Math.min(first + ROWS_OF_PAGE, shown.length)
  return (
    <SettingsForm
      id="schools"
      saving={saving}
      title={t('title')}
      lead={t('lead')}
      save={t('save', { count })}
      disabled={count === 0}
      isWide
    >
      {schools.length === 0 && <p className="px-4 py-3 text-sm text-mute">{t('none')}</p>}
      {schools.length > ROWS_OF_PAGE && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line-soft px-4 py-2.5">
          <Input
            type="search"
            value={text}
            aria-label={t('search')}
            placeholder={t('search')}
            onChange={({ target }) => {
              setText(target.value)
              setPage(0)
            }}
            // Enter would save.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            className="max-w-72"
          />
          <span className="flex items-center gap-1">
            <span role="status" className="tabular mr-2 text-sm text-mute">
              {shown.length === 0 ? t('noMatch') : t('page', { first: first + 1, last, count: shown.length })}
            </span>
            <IconButton
              icon={ChevronLeft}
              label={t('previous')}
              disabled={page === 0}
              onClick={() => setPage(page - 1)}
            />
            <IconButton
              icon={ChevronRight}
              label={t('next')}
              disabled={last >= shown.length}
              onClick={() => setPage(page + 1)}
            />
          </span>
        </div>
      )}
      <ul>
        {shown.slice(first, last).map(({ id, name }) => (
          <SchoolRow
            key={id}
            school={name}
            mailWay={chosen[id]?.mailWay ?? settings.mailWay[id] ?? ''}
            replyTo={chosen[id]?.replyTo ?? settings.replyTo[id] ?? ''}
            canSend={canSend}
            onChoose={(part) => setChosen({ ...chosen, [id]: { ...chosen[id], ...part } })}
          />
        ))}
      </ul>
    </SettingsForm>
  )
}

type SchoolRowProps = Required<SchoolChoice> & {
  school: string
  canSend: boolean
  onChoose: (part: SchoolChoice) => void
}

function SchoolRow({ school, mailWay, replyTo, canSend, onChoose }: SchoolRowProps) {
  const t = useTranslations('work.schools')
  const ways = MAIL_WAYS.filter((way) => canSend || way !== 'intag')
  return (
    <li className="grid items-center gap-x-4 gap-y-1.5 border-b border-line-soft px-4 py-2 text-sm last:border-b-0 desk:grid-cols-[1fr_minmax(0,19rem)_minmax(0,18rem)]">
      <span className="font-medium wrap-anywhere">{school}</span>
      <Select
        aria-label={t('mailWay', { school })}
        value={mailWay}
        options={[
          ['', t('usual', { way: t(canSend ? 'way.intag' : 'way.program') })],
          ...ways.map((way) => [way, t(`way.${way}`)] as const),
        ]}
        onChoose={(way) => onChoose({ mailWay: way })}
      />
      <Input
        type="email"
        aria-label={t('replyTo', { school })}
        maxLength={200}
        autoComplete="off"
        placeholder={t('noReplyTo')}
        defaultValue={replyTo}
        onChange={({ target }) => onChoose({ replyTo: target.value.trim() })}
      />
    </li>
  )
}

/** A form for some of the settings of the work. Rows and numbers change with them, in this tab at once. */
function useSaveWork(
  values: WorkSettingsChange,
  onSaved: (settings: WorkSettings) => void,
  failed: (error: Error) => string | undefined = () => undefined,
) {
  const t = useTranslations('work')
  return useSaveForm({
    values,
    failed,
    send: (body) => api('PATCH /api/settings', { body }),
    done: t('saved'),
    refresh: 'all',
    onSaved,
  })
}
